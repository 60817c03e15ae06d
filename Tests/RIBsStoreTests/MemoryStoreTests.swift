// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A store in memory")
struct MemoryStoreTests {
  private let key = TreeKey(kind: "order", id: "1")

  @Test("ends leases on its clock")
  func leases() async throws {
    let clock = TestClock()
    let store = MemoryStore(clock: clock)
    let (owner, other) = (TreeOwner(address: "one"), TreeOwner(address: "two"))
    #expect(try await store.renew(owner, for: .seconds(10)))
    #expect(try await store.claim(key, by: owner, schema: 1) == .claimed(fence: 1, saved: nil))
    clock.advance(by: .seconds(6))
    #expect(try await store.renew(owner, for: .seconds(10)))
    clock.advance(by: .seconds(9.999))
    #expect(try await store.claim(key, by: other, schema: 1) == .elsewhere(address: "one"))
    clock.advance(by: .milliseconds(1))
    #expect(try await store.claim(key, by: other, schema: 1) == .claimed(fence: 2, saved: nil))
    #expect(try await !store.renew(owner, for: .seconds(10)))
    #expect(try await store.revive(owner, for: .seconds(10), holding: [key: 1]) == [key])
    #expect(try await store.renew(owner, for: .seconds(10)))
  }

  @Test("takes an owner that claims before its first lease for the successor at its address")
  func successors() async throws {
    let store = MemoryStore()
    let (owner, successor) = (TreeOwner(address: "one"), TreeOwner(address: "one"))
    #expect(try await store.renew(owner, for: .seconds(1_000)))
    _ = try await store.claim(key, by: owner, schema: 1)
    #expect(try await store.claim(key, by: successor, schema: 1) == .claimed(fence: 2, saved: nil))
    #expect(try await !store.renew(owner, for: .seconds(1_000)))
    #expect(try await store.renew(successor, for: .seconds(1_000)))
  }
}
