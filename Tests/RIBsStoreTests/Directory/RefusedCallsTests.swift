// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Synchronization
import TestSupport
import Testing

@testable import RIBsStore

@Suite("Calls at the limit of a directory, at the same time", .timeLimit(.minutes(15)), .tearsDown)
struct RefusedCallsTests {
  private let bank = Bank()

  /// Makes 50 calls of other trees at the same time: after the store has answered all of them.
  ///
  /// - Returns: the results, and how often a tree was checked for being idle meanwhile.
  private func call(
    _ directory: TreeDirectory<Int, AccountRouter>, _ store: FaultyStore
  ) async -> (results: [Result<Int?, any Error>], checks: UInt64) {
    let before = directory.idleChecks.load(ordering: .relaxed)
    let calls = (1_000..<1_050).map { id in
      Task { try await directory.perform(onExisting: id) { $0.interactor.deposit(1) } }
    }
    while store.waitingCount < calls.count { await Task.yield() }
    store.resume()
    var results: [Result<Int?, any Error>] = []
    for call in calls { results.append(await call.result) }
    return (results, directory.idleChecks.load(ordering: .relaxed) - before)
  }

  /// A store with 50 trees, in which each search for a tree waits.
  private func makeStore() async throws -> FaultyStore {
    let store = MemoryStore()
    let directory = bank.directory(in: store)
    for id in 1_000..<1_050 { try await directory.deposit(on: id) }
    await directory.shutdown()
    return FaultyStore(store) { call in call.function == .contains ? .waits : nil }
  }

  @Test("check each tree once if all have work, and are refused")
  func refused() async throws {
    let store = try await makeStore()
    let directory = bank.directory(in: store, limit: 100)
    for id in 0..<100 { try await directory.perform(on: id) { $0.interactor.begin(id) } }
    let (results, checks) = await call(directory, store)
    for result in results { #expect(throws: DirectoryFull(limit: 100)) { try result.get() } }
    // Some begin while others check already. Alone, each would check all 100 trees.
    #expect(checks >= 100 && checks < 1_000)
    bank.gate.open()
    // They are checked again when their work has ended.
    while (try? await directory.deposit(on: 2_000)) == nil {}
  }

  @Test("find a place each as long as trees are idle, also behind trees with work")
  func places() async throws {
    let store = try await makeStore()
    let directory = bank.directory(in: store, limit: 100)
    for id in 0..<100 {
      try await directory.perform(on: id) { root in if id >= 50 || id % 2 == 0 { root.interactor.begin(id) } }
    }
    let (results, _) = await call(directory, store)
    #expect(results.count { (try? $0.get()) == 2 } >= 25)
    #expect(Set(0..<100).subtracting(directory.ids).allSatisfy { $0 < 50 && $0 % 2 == 1 })
    bank.gate.open()
  }
}
