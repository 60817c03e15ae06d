// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A forked workflow", .folded)
struct ForkTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene()

  @Test("completes once, when the last of its forks has ended", arguments: [[0, 1], [1, 0]])
  func completes(order: [Int]) {
    let (test, write) = (scene.test, scene.write)
    let answers = [PendingResponses<String, Void>(), PendingResponses<String, Void>()]
    let workflow = RideWorkflow(write)
    let shared = workflow.onStep { root in (root, write("shared")) }
    for index in 0..<2 {
      shared.fork()
        .onStep { root, _ in
          write("begun \(index)")
          try await answers[index].answer(to: "Go on?")
          return (root, write("done \(index)"))
        }
        .commit()
    }
    scene.start(workflow)
    test.expect("didFork", "didFork", "shared", "Root RideWorkflow step ended", "begun 0", "begun 1")
    answers[order[0]].respond(with: ())
    test.settle()
    test.expect("done \(order[0])", "Root RideWorkflow step ended")
    answers[order[1]].respond(with: ())
    test.settle()
    test.expect("done \(order[1])", "Root RideWorkflow step ended", "didComplete")
    test.finish()
  }

  @Test("reports each error once, and completes unless all forks failed", arguments: [0, 1, 2], [false, true])
  func fails(failures: Int, hasHandler: Bool) {
    let (test, write) = (scene.test, scene.write)
    let workflow = RideWorkflow(write)
    let shared = workflow.onStep { root in (root, ()) }
    for index in 0..<2 {
      var fork = shared.onStep { root, _ in
        if index < failures { throw Failure() }
        return (root, ())
      }
      if hasHandler { fork = fork.onError { write("onError \(index) \($0)") } }
      fork.commit()
    }
    scene.start(workflow)
    let received = (0..<2).map { index in
      guard index < failures else { return "Root RideWorkflow step ended" }
      return "Root RideWorkflow step failed: Failure\n"
        + (hasHandler
          ? "onError \(index) Failure\ndidReceiveError Failure" : "didReceiveError Failure\nRoot didFail Failure")
    }
    test.expect(
      """
      Root RideWorkflow step ended
      \(received[0])
      \(received[1])
      \(failures == 2 ? "" : "didComplete")
      """)
    test.finish()
  }

  @Test("reports an error of a shared step once, and to every handler after it")
  func failsBeforeFork() {
    let (test, write) = (scene.test, scene.write)
    let workflow = RideWorkflow(write)
    let shared = workflow.onStep { _ -> (Item, Void)? in throw Failure() }
    shared.onError { _ in write("first") }.onStep { root, _ in (root, ()) }.commit()
    shared.onStep { root, _ in (root, ()) }.onError { _ in write("second") }.commit()
    scene.start(workflow)
    test.expect("Root RideWorkflow step failed: Failure", "first", "second", "didReceiveError Failure")
    test.finish()
  }

  /// When a fork is created.
  enum Moment: CaseIterable {
    case beforeStart, beforeFirstStep, duringSharedStep, duringNextStep, afterCompletion
  }

  @Test("runs a late fork, even if the step it continues from has completed", arguments: Moment.allCases)
  func late(_ moment: Moment) {
    let (test, write) = (scene.test, scene.write)
    let (sharedAnswers, nextAnswers) = (PendingResponses<String, Int>(), PendingResponses<String, Int>())
    let workflow = RideWorkflow(write)
    let shared = workflow.onStep { root in
      write("shared")
      return (root, try await sharedAnswers.answer(to: "How far?"))
    }
    shared
      .onStep { root, _ in
        write("next")
        return (root, try await nextAnswers.answer(to: "How far?"))
      }
      .commit()
    func fork() { shared.fork().onStep { root, value in (root, write("late \(value)")) }.commit() }
    if moment == .beforeStart { fork() }
    test.start(workflow, with: scene.root.interactor)
    if moment == .beforeFirstStep { fork() }
    test.settle()
    if moment == .duringSharedStep { fork() }
    sharedAnswers.respond(with: 42)
    test.settle()
    if moment == .duringNextStep { fork() }
    test.settle()
    nextAnswers.respond(with: 1)
    test.settle()
    if moment == .afterCompletion { fork() }
    test.settle()
    let ended = "Root RideWorkflow step ended"
    let late = "late 42\n" + ended
    let lines =
      switch moment {
      case .beforeStart, .beforeFirstStep: ["didFork", "shared", ended, "next", late, ended, "didComplete"]
      case .duringSharedStep: ["shared", "didFork", ended, "next", late, ended, "didComplete"]
      case .duringNextStep: ["shared", ended, "next", "didFork", late, ended, "didComplete"]
      case .afterCompletion: ["shared", ended, "next", ended, "didComplete", "didFork", late]
      }
    test.expect(lines.joined(separator: "\n"))
    test.finish()
    withExtendedLifetime(workflow) {}
  }

  @Test("does not run a late fork for an item that has resigned, and reports that")
  func lateForResigned() {
    let (test, write) = (scene.test, scene.write)
    scene.root.attachChild(scene.child)
    let workflow = RideWorkflow(write)
    let shared = workflow.onStep { child in (child, ()) }
    shared.onStep { child, _ in (child, ()) }.commit()
    scene.start(workflow, with: scene.child.interactor)
    test.expect("Root/Child RideWorkflow step ended", "Root/Child RideWorkflow step ended", "didComplete")
    scene.root.detachChild(scene.child)
    scene.root.attachChild(scene.child)
    shared.fork().onStep { child, _ in (child, write("must not run")) }.commit()
    test.settle()
    let error = Scene.resigned("Child")
    test.expect("didFork", "Child RideWorkflow step failed: \(error)", "didReceiveError \(error)")
    test.finish()
  }

  @Test("runs steps that several workflows share in each of them, and again in each start")
  func reused() {
    let (test, write) = (scene.test, scene.write)
    let (first, second) = (RideWorkflow(write), RideWorkflow(write))
    first.throughTwice(write).onStep { root, count in (root, write("first \(count)")) }.commit()
    second.throughTwice(write).onStep { root, count in (root, write("second \(count)")) }.commit()
    for (workflow, name) in [(first, "first"), (second, "second"), (first, "first")] {
      scene.start(workflow)
      test.expect(
        """
        Root RideWorkflow step ended
        through 0
        Root RideWorkflow step ended
        through 1
        Root RideWorkflow step ended
        \(name) 2
        Root RideWorkflow step ended
        didComplete
        """)
    }
    test.finish()
  }
}

extension Workflow<Scripted.Interactor> {
  /// A chain of first steps shared by several workflows.
  fileprivate func throughTwice(_ write: @escaping (String) -> Void) -> Step<Item, Item, Int> {
    let through = { (item: Item, count: Int) in
      write("through \(count)")
      return (item, count + 1)
    }
    return onStep { root in (root, 0) }.onStep(through).onStep(through)
  }
}
