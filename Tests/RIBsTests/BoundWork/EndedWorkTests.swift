// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("Bound work that has ended", .folded)
struct EndedWorkTests {
  private let test = TestTree()
  private let root = Scripted.RootRouter()
  private let child = Scripted.ChildRouter()

  init() {
    child.expectsReattachment = true
    let transcript = test.transcript
    child.interactor.onFail = { transcript.write("didFail \($0)") }
    test.launch(root)
    root.attachChild(child)
    test.skip()
  }

  /// Starts work of the child that asks, on the tree or off it.
  private func ask(_ answers: PendingResponses<String, Int>, isAway: Bool) {
    let transcript = test.transcript
    if isAway {
      child.interactor.run("load", overlap: .concurrent, { try await answers.answer(to: "How far?") }) {
        transcript.write("delivered \($0)")
      }
    } else {
      child.interactor.task("load", overlap: .concurrent) {
        transcript.write("delivered \(try await answers.answer(to: "How far?"))")
      }
    }
    test.settle()
  }

  @Test(
    "delivers nothing to a scope that has ended, also when the interactor is active again", arguments: [false, true])
  func dead(isActiveAgain: Bool) {
    let late = PendingResponses<String, Int>(respectsCancellation: false)
    ask(late, isAway: true)
    root.detachChild(child)
    if isActiveAgain { root.attachChild(child) }
    late.respond(with: 7)
    test.settle()
    test.expect(
      """
      Root/Child task load started
      Root/Child resigned
      Root/Child detached
      \(isActiveAgain ? "Root/Child attached\nRoot/Child active" : "")
      Root/Child task load ended
      """)
    test.finish()
  }

  @Test("ends as cancelled with an error that comes too late, which observers see", arguments: [false, true])
  func failingLate(isAway: Bool) {
    let late = PendingResponses<String, Int>(respectsCancellation: false)
    ask(late, isAway: isAway)
    var last: TreeEvent?
    let subscription = test.tree?.events.subscribe(onNext: { last = $0 })
    root.detachChild(child)
    late.fail(with: Failure())
    test.settle()
    test.expect(
      """
      Root/Child task load started
      Root/Child resigned
      Root/Child detached
      Root/Child task load ended
      """)
    #expect(last?.isCancelled == true)
    #expect(last?.failure is Failure)
    subscription?.dispose()
    test.finish()
  }

  @Test("shows an error that comes after the tree's end to observers of its events", arguments: [false, true])
  func failingAfterTheEnd(isAway: Bool) throws {
    let late = PendingResponses<String, Int>(respectsCancellation: false)
    ask(late, isAway: isAway)
    let tree = try #require(test.tree)
    let events = StreamRecorder(tree.events)
    tree.end()
    test.settle()
    #expect(!events.hasEnded)
    late.fail(with: Failure())
    test.settle()
    #expect(events.hasEnded)
    test.expect(
      """
      Root/Child task load started
      Root/Child resigned
      Root resigned
      tree ended
      Root/Child task load ended
      """)
    #expect(events.values.last?.failure is Failure)
    test.finish()
  }

  @Test(
    "reports its error to no interactor when an observer of the failure ends the scope", arguments: [false, true])
  func endedByItsFailure(isAway: Bool) {
    let answers = PendingResponses<String, Int>()
    ask(answers, isAway: isAway)
    let subscription = test.tree?.events.subscribe(onNext: { [root, child] event in
      if event.kind == .taskFailed { root.detachChild(child) }
    })
    answers.fail(with: Failure())
    test.settle()
    test.expect(
      """
      Root/Child task load started
      Root/Child task load failed: Failure
      Root/Child resigned
      Root/Child detached
      """)
    subscription?.dispose()
    test.finish()
  }

  @Test("ends at once when an observer of its start ends the scope", arguments: [false, true])
  func endedByItsStart(isAway: Bool) {
    let subscription = test.tree?.events.subscribe(onNext: { [test] event in
      if event.kind == .taskStarted { test.tree?.end() }
    })
    ask(PendingResponses(), isAway: isAway)
    #expect(test.runningWork.isEmpty)
    test.expect(
      """
      Root/Child task load started
      Root/Child task load ended
      Root/Child resigned
      Root resigned
      tree ended
      """)
    subscription?.dispose()
    test.finish()
  }
}
