// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A workflow that is cancelled", .folded)
struct DisposingTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene()
  private let answers = PendingResponses<String, Void>()

  /// When a workflow is disposed of.
  enum Moment: CaseIterable {
    case beforeFirstStep, duringStep, whileWaiting, inHandler, afterCompletion
  }

  @Test("ends silently, and is released", arguments: Moment.allCases)
  func disposed(_ moment: Moment) {
    let (test, write) = (scene.test, scene.write)
    var subscription: (any Disposable)?
    let child = scene.child.interactor
    if moment != .whileWaiting { scene.root.attachChild(scene.child) }
    subscription = test.start(
      RideWorkflow(write)
        .onStep { _ in (child, ()) }
        .onStep { child, _ in
          write("at child")
          if moment == .duringStep { try await answers.answer(to: "Go on?") }
          if moment == .inHandler { throw Failure() }
          return (child, ())
        }
        .onError { error in
          write("onError \(error)")
          subscription?.dispose()
        }
        .commit(), with: scene.root.interactor)
    if moment != .beforeFirstStep { test.settle() }
    #expect(answers.questions.count == (moment == .duringStep ? 1 : 0))
    #expect(test.clock.deadlines.count == (moment == .whileWaiting ? 1 : 0))
    subscription?.dispose()
    subscription?.dispose()
    subscription = nil
    test.settle()
    let ended = "Root RideWorkflow step ended\n"
    let received =
      switch moment {
      case .beforeFirstStep: ""
      case .duringStep: ended + "at child\n"
      case .whileWaiting: ended
      case .inHandler:
        ended
          + """
          at child
          Root/Child RideWorkflow step failed: Failure
          onError Failure

          """
      case .afterCompletion: ended + "at child\nRoot/Child RideWorkflow step ended\ndidComplete\n"
      }
    test.expect(received + "workflow gone")
    #expect(test.clock.deadlines.isEmpty)
    test.finish()
  }

  @Test("by the task that runs it throws the cancellation when the step has ended")
  func cancelled() {
    let (test, write, root) = (scene.test, scene.write, scene.root.interactor)
    let late = PendingResponses<String, Void>(respectsCancellation: false)
    let workflow = RideWorkflow(write)
    workflow.onStep { root in
      write("begun")
      try await late.answer(to: "Go on?")
      write("cancelled \(Task.isCancelled)")
      return (root, ())
    }
    .commit()
    scene.run { try await workflow.run(root) }
    test.expect("begun")
    scene.run {}
    test.expect("")
    late.respond(with: ())
    test.settle()
    test.expect("cancelled true", "thrown CancellationError()")
    test.finish()
    withExtendedLifetime(workflow) {}
  }

  @Test("by the interactor that runs it in a task, when that resigns")
  func ofTask() {
    let (test, write, root) = (scene.test, scene.write, scene.root.interactor)
    scene.root.attachChild(scene.child)
    scene.child.interactor.task {
      let workflow = RideWorkflow(write)
      workflow.onStep { root in
        write("begun")
        try? await answers.answer(to: "Go on?")
        return (root, write("step over"))
      }
      .commit()
      try await workflow.run(root)
    }
    test.settle()
    test.expect("begun")
    scene.root.detachChild(scene.child)
    test.settle()
    test.expect("step over", "workflow gone")
    test.finish()
  }

  @Test("leaves nothing behind, whatever was running", arguments: [false, true])
  static func nothingLeft(isSubscribed: Bool) {
    let alive = Survivors()
    let test = TestTree(recording: [])
    launch(in: test, alive, isSubscribed: isSubscribed)
    test.settle()
    #expect(alive.count > 4)
    test.finish()
    #expect(alive.count == 0)
  }

  private static func launch(in test: TestTree, _ alive: Survivors, isSubscribed: Bool) {
    let answers = PendingResponses<String, Void>()
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    root.attachChild(child)
    let (interactor, childInteractor) = (root.interactor, child.interactor)
    for object in [root, interactor, child, childInteractor] as [AnyObject] { alive.add(object) }
    for index in 0..<4 {
      let workflow = Workflow<Item>()
      alive.add(workflow)
      let shared = workflow.onStep { [unowned childInteractor] _ in (childInteractor, ()) }
      shared.onStep { [answers] child, _ in
        if index == 1 { throw Failure() }
        if index == 2 { try await answers.answer(to: "Go on?") }
        return (child, ())
      }
      .commit()
      shared.onStep { _, _ in (Item(), ()) }.onStep { item, _ in (item, ()) }.commit()
      if isSubscribed {
        workflow.subscribe(interactor).disposeOnDeactivate(interactor: interactor)
      } else {
        interactor.task { try await workflow.run(interactor) }
      }
    }
  }
}

/// Counts the live objects among some.
private final class Survivors {
  private struct Entry { weak var object: AnyObject? }
  private var entries: [Entry] = []

  var count: Int { entries.filter { $0.object != nil }.count }

  func add(_ object: AnyObject) { entries.append(Entry(object: object)) }
}
