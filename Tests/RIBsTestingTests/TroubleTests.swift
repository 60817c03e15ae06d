// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsTesting
import Testing

@Suite("A test that may not be deterministic")
struct TroubleTests {
  private let test = TestTree(recording: [])

  @Test("fails when the tree does not settle, listing the running work")
  func restless() {
    test.limit = 1000
    let root = test.launch(Scripted.RootRouter())
    let line: UInt = #line + 1
    root.interactor.task("round and round", overlap: .enqueue) {
      while !Task.isCancelled { await Task.yield() }
    }
    expectFailure(
      """
      The tree does not settle: it ran 1000 jobs, and more are left.
      Let the looping work sleep on the test's clock, or end. Running work:
          Root: round and round (TroubleTests.swift:\(line))
      """
    ) { test.settle() }
    test.finish()
  }

  /// Starts work that waits for something that the test does not drive.
  private func launchWaitingWork() -> (end: AsyncStream<Void>.Continuation, line: UInt) {
    let root = test.launch(Scripted.RootRouter())
    let (stream, end) = AsyncStream<Void>.makeStream()
    root.interactor.task("call", overlap: .enqueue) { for await _ in stream {} }
    return (end, #line - 1)
  }

  @Test("fails when work resumes from code that the test does not drive")
  func disturbed() async {
    let (end, line) = launchWaitingWork()
    test.settle()
    await Task.detached { end.finish() }.value
    #expect(test.runningWork == ["Root: call (TroubleTests.swift:\(line))"])
    expectFailure(
      """
      Work resumed from code that the test does not drive, so its order may differ from run to run.
      Pass a TestClock or a double to code that waits for a system clock, a dispatch queue, an unbound task or another \
      actor; or wait for it with settle(until:).
      """
    ) { test.settle() }
    test.finish()
  }

  @Test("fails when work resumes from a dispatch queue")
  func queue() {
    let (end, _) = launchWaitingWork()
    test.settle()
    let found = failures {
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { end.finish() }
      group.wait()
      test.settle()
    }
    #expect(found.count == 1)
    test.finish()
  }

  @Test("fails at once when its condition can't be met any more")
  func hopeless() async {
    test.launch(Scripted.RootRouter())
    let found = await failures { await test.settle { false } }
    #expect(
      found.first?.hasPrefix(
        "The condition is false, and no bound work is left that could change it.") == true)
    test.finish()
  }
}
