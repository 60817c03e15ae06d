// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import TestSupport
import Testing

@Suite("The calls that wait for one tree of a directory", .timeLimit(.minutes(15)), .tearsDown)
struct CallLimitTests {
  private static let limit = 1_000
  private static let count = 10_000

  private typealias Directory = TreeDirectory<Int, AccountRouter>

  private let bank = Bank()

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
            try await directory.deposit(on: 1)
            return true
          } catch let error as TreeBusy {
            #expect(error.limit == CallLimitTests.limit && error.key == TreeKey(kind: "account", id: "1"))
            refused.change { $0 += 1 }
            return false
          }
        }
      }
      while refused.value < expected { await Task.yield() }
      // The others wait, and another tree answers meanwhile.
      #expect(try await directory.balance(of: 2) == 0)
      #expect(refused.value == expected)
      release()
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(answered == CallLimitTests.limit - used)
    #expect(refused.value == expected)
    #expect(directory.counts.refusedCalls == expected)
    // All have left.
    #expect(try await directory.balance(of: 1) == answered)
    await directory.shutdown()
  }

  /// Begins to remove a tree that does not end, because a call of it hangs.
  private func removeBlocked(
    _ directory: Directory
  ) async throws -> (blockade: Blockade, removal: Task<Void, any Error>) {
    let blockade = try await Blockade(of: directory)
    let removal = Task { try await directory.remove(1, timeout: nil) }
    // The removal has begun when the tree is no longer awake.
    while !directory.ids.isEmpty { await Task.yield() }
    return (blockade, removal)
  }

  @Test("are at most the limit while the tree hangs, and others are refused at once")
  func hungTree() async throws {
    let directory = bank.directory()
    let blockade = try await Blockade(of: directory)
    try await expectLimit(of: directory, used: 1) { blockade.end() }
    try await blockade.call.value
  }

  @Test("are at most the limit while its builder hangs")
  func hungBuilder() async throws {
    let gate = Gate()
    let directory = bank.directory { id in if id == 1 { await gate.pass() } }
    try await expectLimit(of: directory) { gate.open() }
  }

  @Test("are at most the limit while it is removed and does not end")
  func hungRemoval() async throws {
    let directory = bank.directory()
    let (blockade, removal) = try await removeBlocked(directory)
    try await expectLimit(of: directory) { blockade.end() }
    try await removal.value
    _ = try? await blockade.call.value
  }

  @Test("make room when they are cancelled while it is removed")
  func cancelledCall() async throws {
    let directory = bank.directory()
    let (blockade, removal) = try await removeBlocked(directory)
    func wait() -> Task<Void, any Error> { Task { try await directory.perform(on: 1) { _ in } } }
    var waiting = (0..<CallLimitTests.limit).map { _ in wait() }
    while directory.counts.calls < CallLimitTests.limit { await Task.yield() }
    await #expect(throws: TreeBusy.self) { try await directory.perform(on: 1) { _ in } }
    waiting[0].cancel()
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    #expect(directory.counts.calls == CallLimitTests.limit - 1)
    waiting[0] = wait()
    while directory.counts.calls < CallLimitTests.limit { await Task.yield() }
    blockade.end()
    for task in waiting { try await task.value }
    try await removal.value
    _ = try? await blockade.call.value
  }
}
