// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("A workflow whose item resigns", .folded)
struct ResigningTests {
  private let scene = Scene(recording: [.workflows, .tasks])
  private let answers = PendingResponses<String, Void>()

  /// The reactions of a step to its cancellation.
  enum Reaction: CaseIterable {
    case throwsCancellation, throwsFailure, returnsValue, returnsNothing
  }

  @Test(
    "is cancelled and ends with the path of the item, whatever the reaction of the step",
    arguments: Reaction.allCases, [false, true])
  func duringStep(_ reaction: Reaction, isBackAtOnce: Bool) {
    let (test, write) = (scene.test, scene.write)
    scene.root.attachChild(scene.child)
    test.start(
      RideWorkflow(write)
        .onStep { child in
          write("begun")
          try? await answers.answer(to: "Go on?")
          write("cancelled \(Task.isCancelled)")
          switch reaction {
          case .throwsCancellation: throw CancellationError()
          case .throwsFailure: throw Failure()
          case .returnsValue: return (child, ())
          case .returnsNothing: return nil
          }
        }
        .onStep { child, _ in (child, write("must not run")) }
        .commit(), with: scene.child.interactor)
    test.settle()
    test.expect("Root/Child task RideWorkflow started", "begun")
    scene.root.detachChild(scene.child)
    if isBackAtOnce { scene.root.attachChild(scene.child) }
    test.settle()
    let error = Scene.resigned("Root/Child")
    // An error that a step throws itself is reported too.
    test.expect(
      """
      cancelled true
      Root/Child RideWorkflow step failed: \(reaction == .throwsFailure ? "Failure" : error)
      didReceiveError \(error)
      Root/Child task RideWorkflow ended
      workflow gone
      """)
    test.finish()
  }

  @Test("is not affected by the end of an earlier item")
  func afterStep() {
    let (test, write, root) = (scene.test, scene.write, scene.root.interactor)
    scene.root.attachChild(scene.child)
    test.start(
      RideWorkflow(write)
        .onStep { _ in (root, ()) }
        .onStep { root, _ in
          write("at root")
          try await answers.answer(to: "Go on?")
          return (root, ())
        }
        .commit(), with: scene.child.interactor)
    test.settle()
    scene.root.detachChild(scene.child)
    test.expect(
      """
      Root/Child task RideWorkflow started
      Root/Child RideWorkflow step ended
      at root
      """)
    answers.respond(with: ())
    test.settle()
    test.expect("Root RideWorkflow step ended", "didComplete", "Root/Child task RideWorkflow ended", "workflow gone")
    test.finish()
  }

  @Test("does not keep an earlier item alive")
  func released() {
    let (test, write, root) = (scene.test, scene.write, scene.root.interactor)
    var child: Scripted.ChildRouter? = Scripted.ChildRouter()
    child?.interactor.onDeinit = { write("child gone") }
    let workflow = RideWorkflow(write)
    workflow
      .onStep { [weak child] _ in child.map { ($0.interactor, ()) } }
      .onStep { _, _ in (root, ()) }
      .onStep { root, _ in
        write("waiting")
        try await answers.answer(to: "Go on?")
        return (root, ())
      }
      .commit()
    if let child { scene.root.attachChild(child) }
    test.start(workflow, with: root)
    test.settle()
    test.expect(
      """
      Root task RideWorkflow started
      Root RideWorkflow step ended
      Root/Child RideWorkflow step ended
      waiting
      """)
    if let child { scene.root.detachChild(child) }
    child = nil
    test.expect("child gone")
    answers.respond(with: ())
    test.settle()
    test.expect("Root RideWorkflow step ended", "didComplete", "Root task RideWorkflow ended")
    test.finish()
    withExtendedLifetime(workflow) {}
  }

  @Test("ends with the path of the item, also if it resigns before the first step")
  func beforeFirstStep() {
    let (test, write) = (scene.test, scene.write)
    scene.root.attachChild(scene.child)
    test.start(
      RideWorkflow(write).onStep { child in (child, write("must not run")) }.commit(), with: scene.child.interactor)
    scene.root.detachChild(scene.child)
    test.settle()
    let error = Scene.resigned("Root/Child")
    test.expect(
      """
      Root/Child task RideWorkflow started
      Root/Child RideWorkflow step failed: \(error)
      didReceiveError \(error)
      Root/Child task RideWorkflow ended
      workflow gone
      """)
    test.finish()
  }

  @Test("ends silently if it was bound to the item")
  func bound() {
    let (test, write) = (scene.test, scene.write)
    scene.root.attachChild(scene.child)
    RideWorkflow(write)
      .onStep { child in
        write("begun")
        try await answers.answer(to: "Go on?")
        return (child, ())
      }
      .onError { _ in write("onError") }
      .commit()
      .subscribe(scene.child.interactor)
      .disposeOnDeactivate(interactor: scene.child.interactor)
    test.settle()
    scene.root.detachChild(scene.child)
    test.settle()
    test.expect(
      """
      Root/Child task RideWorkflow started
      begun
      Root/Child task RideWorkflow ended
      workflow gone
      """)
    test.finish()
  }
}

@Suite("A workflow whose item resigns and whose step does not end", .folded)
@MainActor
struct StuckWorkflowTests {
  @Test("is waited for when the tree is shut down, and reported by name")
  func stuck() async {
    let (journal, gate, clock) = (Journal(), Gate(), TestClock())
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let tree = Tree.launched(root, TreeConfiguration(clock: clock, leakDetection: .off))
    root.attachChild(child)
    let item = child.interactor
    let line: UInt = #line + 1
    let subscription = RideWorkflow(journal.write).onStep { _ in (item, ()) }
      .onStep { child, _ in
        journal.write("begun")
        await gate.passStubbornly()
        return (child, ())
      }
      .commit()
      .subscribe(root.interactor)
    await journal.wait(for: "begun")
    let timer = Task {
      await clock.waitForSleeper()
      clock.advance(by: .seconds(1))
    }
    let report = await tree.shutdown(timeout: .seconds(1))
    await timer.value
    #expect(
      report.unfinishedTasks.map(\.description) == [
        "Root/Child (#2): RideWorkflow (ResigningTests.swift:\(line + 7)), 1.0 seconds after its RIB resigned"
      ])
    gate.open()
    #expect(await tree.shutdown().unfinishedTasks.isEmpty)
    #expect(journal.lines.last == "workflow gone")
    subscription.dispose()
  }
}
