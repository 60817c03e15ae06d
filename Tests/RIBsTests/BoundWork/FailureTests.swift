// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

/// Passes on what its work throws, or not.
private final class FailingInteractor: Interactor {
  var handles: ((any Error, BoundWork) -> Void)?

  override func didFail(_ error: any Error, of work: BoundWork) {
    if let handles { handles(error, work) } else { super.didFail(error, of: work) }
  }
}

@Suite("An error of bound work", .folded)
@MainActor
struct FailureTests {
  private let journal = Journal()
  private let failures = Shared<[TreeFailure]>([])
  private let router = Router(interactor: FailingInteractor())
  private let tree: Tree

  init() {
    tree = Tree.launched(
      router,
      TreeConfiguration(
        leakDetection: .off, eventKinds: [.taskEnded, .taskFailed],
        onEvent: { [journal] event in
          journal.write("\(event.kind) \(event.isCancelled)")
          journal.write("over")
        },
        onFailure: { [failures, journal] failure in
          failures.change { $0.append(failure) }
          journal.write("onFailure")
        }))
  }

  @Test(
    "reaches didFail with the work that threw it, also if it is a CancellationError", arguments: [nil, "load"],
    [false, true])
  func cancellationError(key: String?, isAway: Bool) async throws {
    var handled: BoundWork?
    router.interactor.handles = { [journal] error, work in
      MainActor.preconditionIsolated()
      handled = work
      journal.write("didFail \(error is CancellationError)")
    }
    let line: UInt = #line + 2
    switch (key, isAway) {
    case (nil, false): router.interactor.task { throw CancellationError() }
    case (nil, true): router.interactor.run({ throw CancellationError() }) {}
    case (let key?, false): router.interactor.task(key, overlap: .enqueue) { throw CancellationError() }
    case (let key?, true): router.interactor.run(key, overlap: .enqueue, { throw CancellationError() }) {}
    }
    await journal.wait(for: "over")
    let work = try #require(handled)
    #expect(work.key == key)
    #expect(work.fileID.hasSuffix("/FailureTests.swift"))
    #expect(work.line == line + (key == nil ? 0 : 2) + (isAway ? 1 : 0))
    #expect(journal.lines == ["taskFailed false", "over", "didFail true"])
    #expect(failures.value.isEmpty)
    await tree.shutdown()
  }

  @Test(
    "that no interactor handles reaches onFailure with path, node and work, also from a worker",
    arguments: [false, true])
  func unhandled(isOfWorker: Bool) async throws {
    let node = try #require(router.interactor.nodeID)
    let worker = ScriptedWorker()
    worker.start(router.interactor)
    let owner: TaskOwner = isOfWorker ? worker : router.interactor
    owner.task("load", overlap: .enqueue) { throw Failure() }
    await journal.wait(for: "over")
    let failure = try #require(failures.value.first)
    #expect(failures.value.count == 1)
    #expect("\(failure.path)" == "Failing")
    #expect(failure.node == node)
    #expect(failure.work?.key == "load")
    #expect(failure.error is Failure)
    await tree.shutdown()
  }
}
