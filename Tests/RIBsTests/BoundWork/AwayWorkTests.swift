// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

private actor Other {
  func works(at home: QueueActor) -> Bool { home.isCurrent }
}

@Suite("Work that leaves the tree")
struct AwayWorkTests {
  @Test("runs off the main actor, keeps its task-local values, and hands its result back on the main actor")
  @MainActor
  func mainActor() async {
    let root = Scripted.RootRouter()
    let tree = Tree.launched(root)
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

  @Test(
    "runs off any other actor, as does an actor that work of the tree calls, and continues there",
    arguments: [false, true])
  func queueActor(callsActor: Bool) async {
    let (home, other) = (QueueActor(), Other())
    let (results, result) = AsyncStream<[Bool]>.makeStream()
    await home.launch {
      let root = Scripted.RootRouter()
      root.interactor.onActive = { interactor in
        if callsActor {
          interactor.task {
            let wasHome = await other.works(at: home)
            result.yield([wasHome, home.isCurrent])
          }
        } else {
          interactor.run({ home.isCurrent }) { wasHome in result.yield([wasHome, home.isCurrent]) }
        }
      }
      return root
    }
    #expect(await first(of: results) == [false, true])
    await home.shutdown()
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
