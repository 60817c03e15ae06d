// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("Work that leaves the tree")
struct AwayWorkTests {
  @Test("runs off the main actor, keeps its task-local values, and hands its result back on the main actor")
  @MainActor
  func mainActor() async {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    tree.launch()
    let (results, result) = AsyncStream<[Bool]>.makeStream()
    Mark.$value.withValue(42) {
      _ = root.interactor.run({ [MainQueue.isCurrent, Mark.value == 42] }) { [unowned root] seen in
        MainActor.preconditionIsolated()
        result.yield(seen + [MainQueue.isCurrent, root.interactor.isActive])
      }
    }
    #expect(await first(of: results) == [false, true, true, true])
    await tree.shutdown()
  }

  @Test("runs off any other actor, and hands its result back there")
  func queueActor() async {
    let home = QueueActor()
    let (results, result) = AsyncStream<[Bool]>.makeStream()
    await home.launch {
      let root = Scripted.RootRouter()
      root.interactor.onActive = { interactor in
        interactor.run({ home.isCurrent }) { wasHome in result.yield([wasHome, home.isCurrent]) }
      }
      return root
    }
    #expect(await first(of: results) == [false, true])
    await home.shutdown()
  }

  @Test("reports its error on the actor of its tree, as other work does", arguments: [false, true])
  @MainActor
  func failing(isAway: Bool) async {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    tree.launch()
    let (errors, error) = AsyncStream<String>.makeStream()
    root.interactor.onFail = { failure in
      MainActor.preconditionIsolated()
      error.yield("\(failure)")
    }
    if isAway {
      root.interactor.run({ throw Failure() }, then: {})
    } else {
      root.interactor.task { throw Failure() }
    }
    #expect(await first(of: errors) == "Failure")
    await tree.shutdown()
  }

  /// What ends the wait for a result.
  enum Ending: CaseIterable {
    case detach, replacement, cancellation
  }

  @Test(
    "releases its closures when it is cancelled, although its operation continues off the tree",
    arguments: Ending.allCases, [false, true])
  func releasedClosures(_ ending: Ending, isPrepared: Bool) {
    let test = TestTree(recording: [])
    let answers = PendingResponses<Int, Int>(respectsCancellation: false)
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    child.expectsReattachment = true
    root.attachChild(child)
    let journal = Journal()
    let handle: BoundWork.Handle
    do {
      let goodbye = Goodbye { journal.write("released") }
      if isPrepared {
        handle = child.attach(
          "load", overlap: .cancelPrevious,
          preparing: {
            _ = try await answers.answer(to: 1)
            return Scripted.LeafRouter()
          }
        ) { _ in withExtendedLifetime(goodbye) { _ = Issue.record("connected") } }
      } else {
        handle = child.interactor.run(
          "load", overlap: .cancelPrevious, { try await answers.answer(to: 1) },
          then: { _ in withExtendedLifetime(goodbye) { _ = Issue.record("delivered") } },
          onError: { _ in withExtendedLifetime(goodbye) { _ = Issue.record("failed") } })
      }
    }
    test.settle()
    #expect(answers.questions == [1])
    #expect(journal.lines.isEmpty)
    switch ending {
    case .detach: root.detachChild(child)
    case .replacement: child.interactor.task("load", overlap: .cancelPrevious) {}
    case .cancellation: handle.cancel()
    }
    #expect(journal.lines == ["released"])
    test.settle()
    #expect(answers.questions == [1])
    answers.respond(with: 1)
    test.settle()
    test.finish()
  }
}
