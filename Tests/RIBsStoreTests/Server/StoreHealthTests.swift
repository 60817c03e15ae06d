// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("Whether a process should get requests", .tearsDown)
struct StoreHealthTests {
  private let key = TreeKey(kind: "order", id: "1")

  @Test("is no while the store fails, by the function that fails")
  func failing() async throws {
    let base = FaultyStore(MemoryStore()) { call in
      call.function == .save && call.numberOfFunction == 1 ? .failsBeforeEffect : nil
    }
    let health = StoreHealth(patience: .seconds(60))
    let store = health.observing(base)
    #expect(store.isShared == base.isShared && health.reasonNotReady == nil)
    let failure = await #expect(throws: StoreFailure.self) { try await store.save([]) }
    #expect(failure?.reason is StoreFault)
    #expect(health.reasonNotReady == "The store fails.")
    // Reading does not show that saving succeeds again.
    _ = try await store.contains(key)
    #expect(health.reasonNotReady == "The store fails.")
    _ = try await store.save([])
    #expect(health.reasonNotReady == nil)
  }

  @Test("is yes again when reading succeeds after a note that need not be repeated", arguments: [false, true])
  func note(isRetry: Bool) async throws {
    let base = FaultyStore(MemoryStore()) { $0.number == 1 ? .failsBeforeEffect : nil }
    let health = StoreHealth(patience: .seconds(60))
    let store = health.observing(base)
    await #expect(throws: StoreFailure.self) {
      if isRetry { try await store.retry(key) } else { try await store.note([]) }
    }
    #expect(health.reasonNotReady == "The store fails.")
    _ = try await store.due("order", limit: 1, schema: 1)
    #expect(health.reasonNotReady == nil)
  }

  @Test("is no while a call of the store takes longer than its patience")
  func hanging() async throws {
    let base = FaultyStore(MemoryStore()) { $0.function == .save ? .waits : nil }
    let health = StoreHealth(patience: .zero)
    let store = health.observing(base)
    let save = Task { try await store.save([]) }
    await base.waitForWaitingCall()
    #expect(health.reasonNotReady == "The store does not answer.")
    base.resume()
    _ = try await save.value
    #expect(health.reasonNotReady == nil)
  }

  @Test("is no from the end of a lease until it is renewed")
  func lease() async throws {
    let health = StoreHealth(patience: .seconds(60))
    let store = health.observing(MemoryStore())
    let owner = TreeOwner()
    #expect(try await store.renew(owner, for: .seconds(10)))
    for event in [DirectoryEvent<Int>.leaseEnded, .leaseLost] {
      health.record(event)
      #expect(health.reasonNotReady == "The lease has ended.")
      if case .leaseEnded = event {
        #expect(try await store.revive(owner, for: .seconds(10), holding: [:]) != nil)
      } else {
        #expect(try await store.renew(owner, for: .seconds(10)))
      }
      #expect(health.reasonNotReady == nil)
    }
    health.record(DirectoryEvent<Int>.full)
    #expect(health.reasonNotReady == nil)
  }

  @Test("does not depend on errors of one tree, whose record is quarantined")
  func errorsOfOneTree() async throws {
    let folder = try TemporaryFolder()
    let bank = Bank()
    let first = try FileStore(directory: folder.path)
    let before = bank.directory(in: first)
    try await before.deposit(on: 1)
    await before.shutdown()
    await first.close()
    try "damaged".write(toFile: folder.path + "/account/asleep/1.json", atomically: false, encoding: .utf8)
    let health = StoreHealth(patience: .seconds(60))
    let store = health.observing(try FileStore(directory: folder.path))
    let directory = bank.directory(in: store)
    for _ in 0..<3 { await #expect(throws: StoreFailure.self) { try await directory.balance(of: 1) } }
    await #expect(throws: TreeQuarantined.self) { try await directory.balance(of: 1) }
    let long = TreeKey(kind: "order", id: String(repeating: "A", count: 300))
    await #expect(throws: StoreFailure.self) { try await store.contains(long) }
    #expect(health.reasonNotReady == nil)
  }

  @Test("does not change the contract of the store")
  func conformance() async {
    await expectConformance(of: { ForwardedStore(base: StoreHealth(patience: .seconds(60)).observing(MemoryStore())) })
  }
}
