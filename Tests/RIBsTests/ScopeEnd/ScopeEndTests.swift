// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
@testable import RIBsTesting
import Testing

@Suite("Bound work whose scope ends", .folded)
struct ScopeEndTests {
  private let test = TestTree(recording: [])
  private let scene = WorkScene()

  /// How work ends.
  private enum Outcome { case success, cancelled, timedOut }

  /// What is written, in order.
  private func lines(_ which: WorkCase) -> [String] {
    switch (which.end, which.moment) {
    // The end of the time comes before the result.
    case (.timeout, .returned): ["begun", "end", "returned", "didFail"]
    case (.timeout, .suspended): linesBefore(which) + ["end", "didFail"]
    case (.supersession, _): linesBefore(which) + ["end", "successor"]
    default: linesBefore(which) + ["end"]
    }
  }

  /// What is written before the end.
  private func linesBefore(_ which: WorkCase) -> [String] {
    if which.kind.form == .pause { return which.moment == .handled ? ["handled"] : [] }
    let first = which.kind.form == .secondStep ? ["first step"] : []
    return switch which.moment {
    case .queued, .admitted, .unbegun: first
    case .suspended: first + ["begun"]
    case .returned: first + ["begun", "returned"]
    case .handled: first + ["begun", "returned", "handled"]
    }
  }

  private func outcome(_ which: WorkCase) -> Outcome {
    guard which.moment == .handled else { return which.end == .timeout ? .timedOut : .cancelled }
    // Nothing cancels work that is over when its handler is called.
    if which.kind.isAway || which.kind.form == .pause || which.end == .timeout { return .success }
    // The pager has its page, and cancels nothing.
    if which.kind.form == .page, which.end == .disposal || which.end == .supersession { return .success }
    return .cancelled
  }

  /// How many children have been attached.
  private func childCount(_ which: WorkCase) -> Int {
    switch (which.kind.form, which.moment) {
    case (.slices, .suspended): 1
    case (.slices, .handled): 2
    // A child whose scope ends while it is connected is discarded.
    case (.preparing, .handled): [.supersession, .cancellation, .cancellationByKey].contains(which.end) ? 1 : 0
    // A child of a container is attached, and becomes active with its parent.
    case (.listUpdate, .handled), (.pause, .handled):
      [.detach, .parentDetach, .deactivation].contains(which.end) ? 1 : 0
    default: 0
    }
  }

  /// Ends the scope in a turn of the tree after the current one, and before what becomes ready to run from here on.
  private func endInNextTurn(_ which: WorkCase) {
    scene.root.interactor.task("end", overlap: .concurrent) {
      scene.end(by: which.end, which.kind, in: test.tree)
    }
  }

  /// Starts work, and ends its scope at a moment.
  private func act(_ which: WorkCase, _ events: Observable<TreeEvent>) {
    let (kind, answers) = (which.kind, scene.answers)
    if which.moment == .queued || which.moment == .admitted {
      scene.startPredecessor(of: kind)
      test.settle()
    }
    switch which.moment {
    case .handled:
      scene.onHandled = { [scene, test] in
        scene.onHandled = {}
        scene.end(by: which.end, kind, in: test.tree)
      }
    case .returned where !kind.isAway: scene.onReturned = { self.endInNextTurn(which) }
    default: break
    }
    scene.start(kind)
    switch which.moment {
    case .queued:
      test.settle()
      scene.end(by: which.end, kind, in: test.tree)
      // The handle is that of the queued work alone.
      if which.end == .cancellation { answers.respond(with: ()) }
    case .admitted:
      let starts = events.filter { $0.kind == .taskStarted && $0.work?.hasPrefix("key ") == true }
      starts.take(1).subscribe(onNext: { _ in self.endInNextTurn(which) })
        .disposeOnDeactivate(interactor: scene.root.interactor)
      answers.respond(with: ())
    case .unbegun where kind.form == .secondStep:
      test.settle()
      answers.respond(with: ())
      endInNextTurn(which)
    case .unbegun:
      scene.end(by: which.end, kind, in: test.tree)
    case .suspended where kind.form == .slices:
      // These continue by themselves.
      endInNextTurn(which)
    case .handled where kind.form == .pause:
      test.advance(by: .seconds(1))
    case .returned where which.end == .timeout:
      test.settle()
      scene.root.interactor.task("end", overlap: .concurrent) {
        self.scene.end(by: .timeout, kind, in: self.test.tree)
        answers.respond(with: ())
      }
    case .suspended, .returned, .handled:
      test.settle()
      if kind.form == .secondStep {
        answers.respond(with: ())
        test.settle()
      }
      if which.moment == .suspended {
        scene.end(by: which.end, kind, in: test.tree)
      } else if kind.form != .slices, kind.form != .listUpdate {
        answers.respond(with: ())
        if which.moment == .returned, kind.isAway { endInNextTurn(which) }
      }
    }
    test.settle()
  }

  @Test(
    "never begins, is never called and delivers nothing afterwards, and ends once, as what it is",
    arguments: WorkCase.all)
  func ends(_ which: WorkCase) throws {
    test.launch(scene.root)
    scene.dropTree = { [test] in test.tree = nil }
    if which.end == .timeout {
      scene.timeout = .seconds(5)
      scene.passTime = { [test] in test.clock.advance(by: .seconds(5)) }
    }
    let all = try #require(test.tree).events
    let node = try #require(scene.child.interactor.nodeID)
    let ofWork: [TreeEvent.Kind] = [.taskStarted, .taskEnded, .taskFailed]
    let events = StreamRecorder(all.filter { ofWork.contains($0.kind) })
    act(which, all)
    let successor = which.end == .supersession ? ["successor"] : []
    #expect(scene.journal.lines == lines(which))

    let starts = events.values.filter { $0.kind == .taskStarted }
    #expect(Set(starts.map(\.workID)).count == starts.count)
    for start in starts {
      let ends = events.values.filter { $0.workID == start.workID && $0.kind != .taskStarted }
      let isTimedOut = outcome(which) == .timedOut && start.node == node
      #expect(ends.map(\.kind) == [isTimedOut ? .taskFailed : .taskEnded], "\(start)")
      #expect(ends.map(\.node) == [start.node], "\(start)")
      #expect(ends.map(\.parent) == [start.parent], "\(start)")
      #expect(ends.map(\.work) == [start.work], "\(start)")
    }
    // The predecessor is first, and the work that ends the scope is of the root; the successor is last.
    let ofScope = starts.filter { $0.node == node }
    let hasPredecessor = which.moment == .queued || which.moment == .admitted
    let own = ofScope.dropFirst(hasPredecessor ? 1 : 0).dropLast(successor.count)
    #expect(own.count == (which.moment == .queued ? 0 : 1))
    for start in own {
      let end = events.values.first { $0.workID == start.workID && $0.kind != .taskStarted }
      #expect(end?.isCancelled == (outcome(which) == .cancelled))
      if outcome(which) == .timedOut {
        #expect(end?.failure is BoundWork.TimedOut || which.kind.isWorkflow && end?.failure is WorkflowError)
      } else {
        #expect(end?.failure == nil || which.kind.isWorkflow)
      }
    }
    #expect(scene.child.children.count == childCount(which))
    #expect(test.runningWork.isEmpty)
    if which.end == .cancellation { #expect(scene.handle?.hasEnded == true) }
    #expect((test.tree == nil) == (which.end == .drop))
    #expect(events.hasEnded == [.endOfTree, .drop].contains(which.end))
    events.stop()
    // A slot can't attach the child whose builder has ended the tree.
    if which.kind.form == .pause, which.moment == .handled, which.end == .endOfTree || which.end == .drop {
      #expect(test.takeMisuses().map(\.kind) == [.treeEnded])
    }
    test.finish()
  }
}
