// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("The calls that wait for one tree of a directory", .timeLimit(.minutes(15)))
struct CallLimitTests {
  private static let limit = 1_000
  private static let count = 10_000

  private final class CounterInteractor: Interactor {
    var count = 0
  }

  private typealias Directory = TreeDirectory<Int, Router<CounterInteractor>>

  private let journal = Journal()
  private let blockade = DispatchSemaphore(value: 0)
  private let executor = OwnThread()
  private let clock = TestClock()

  private func directory(
    build: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> Directory {
    TreeDirectory(
      configuration: DirectoryConfiguration(clock: clock), tree: { _ in TreeConfiguration(leakDetection: .off) }
    ) { (id: Int) in
      await build(id)
      return Router(interactor: CounterInteractor())
    }
  }

  /// Makes calls of tree 1, and calls another tree when all are made or refused.
  ///
  /// - Parameters:
  ///   - used: how many calls use the tree before.
  ///   - release: lets the tree continue.
  private func expectLimit(of directory: Directory, used: Int = 0, release: @Sendable () -> Void) async throws {
    let refused = Shared(0)
    let expected = CallLimitTests.count - (CallLimitTests.limit - used)
    let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<CallLimitTests.count {
        group.addTask {
          do {
            try await directory.perform(on: 1) { root in root.interactor.count += 1 }
            return true
          } catch let error as TreeBusy {
            #expect(error.limit == CallLimitTests.limit && error.key == TreeKey(kind: "tree", id: "1"))
            refused.change { $0 += 1 }
            return false
          }
        }
      }
      while refused.value < expected { await Task.yield() }
      // The others wait, and another tree answers meanwhile.
      #expect(try await directory.perform(on: 2) { root in root.interactor.count } == 0)
      #expect(refused.value == expected)
      release()
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(answered == CallLimitTests.limit - used)
    #expect(refused.value == expected)
    #expect(directory.counts.refusedCalls == expected)
    // All have left.
    #expect(try await directory.perform(on: 1) { root in root.interactor.count } == answered)
    await directory.shutdown()
  }

  /// Opens tree 1, and makes a call of it that hangs.
  private func block(_ directory: Directory) async throws -> Task<Void, any Error> {
    try await directory.perform(on: 1) { _ in }
    let call = Task(executorPreference: executor) { [journal, blockade] in
      try await directory.perform(on: 1) { _ in
        journal.write("blocked")
        blockade.wait()
      }
    }
    await journal.wait(for: "blocked")
    return call
  }

  /// Begins to remove a tree that does not end, because a call of it hangs.
  private func removeBlocked(
    _ directory: Directory
  ) async throws -> (call: Task<Void, any Error>, removal: Task<Void, any Error>) {
    let call = try await block(directory)
    let removal = Task { try await directory.remove(1, timeout: nil) }
    // The removal has begun when the tree is no longer awake.
    while !directory.ids.isEmpty { await Task.yield() }
    return (call, removal)
  }

  @Test("are at most the limit while the tree hangs, and others are refused at once")
  func hungTree() async throws {
    let directory = directory()
    let call = try await block(directory)
    try await expectLimit(of: directory, used: 1) { [blockade] in blockade.signal() }
    try await call.value
  }

  @Test("are at most the limit while its builder hangs")
  func hungBuilder() async throws {
    let gate = Gate()
    let directory = directory { id in if id == 1 { await gate.pass() } }
    try await expectLimit(of: directory) { gate.open() }
  }

  @Test("are at most the limit while it is removed and does not end")
  func hungRemoval() async throws {
    let directory = directory()
    let (call, removal) = try await removeBlocked(directory)
    try await expectLimit(of: directory) { [blockade] in blockade.signal() }
    try await removal.value
    _ = try? await call.value
  }

  @Test("make room when they are cancelled while it is removed")
  func cancelledCall() async throws {
    let directory = directory()
    let (call, removal) = try await removeBlocked(directory)
    func wait() -> Task<Void, any Error> { Task { try await directory.perform(on: 1) { _ in } } }
    var waiting = (0..<CallLimitTests.limit).map { _ in wait() }
    while directory.counts.calls < CallLimitTests.limit { await Task.yield() }
    await #expect(throws: TreeBusy.self) { try await directory.perform(on: 1) { _ in } }
    waiting[0].cancel()
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    #expect(directory.counts.calls == CallLimitTests.limit - 1)
    waiting[0] = wait()
    while directory.counts.calls < CallLimitTests.limit { await Task.yield() }
    blockade.signal()
    for task in waiting { try await task.value }
    try await removal.value
    _ = try? await call.value
    await directory.shutdown()
  }
}
