// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A workflow that is cancelled", .folded)
struct DisposingTests {
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
}
