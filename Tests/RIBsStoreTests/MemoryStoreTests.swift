// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
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

  @Test("wakes trees on its wall clock")
  func wakes() async throws {
    let clock = TestClock(wallTime: .noon)
    let trees = SavedTrees(store: MemoryStore(wallClock: clock.wallClock))
    for (id, seconds) in [("3", 3), ("1", 1), ("2", 2)] {
      try await trees.save(id, "", wakes: .noon + .seconds(seconds))
    }
    var transcript: [[String]] = []
    for milliseconds in [0, 999, 1_000, 3_000] {
      clock.wallTime = .noon + .milliseconds(milliseconds)
      transcript.append(try await trees.due())
    }
    #expect(transcript == [[], [], ["1"], ["1", "2", "3"]])
  }

  @Test("shows its records")
  func records() async throws {
    let store = MemoryStore()
    let trees = SavedTrees(store: store)
    let saved = try await trees.records(of: 1..<3) { claim in
      claim.record(.document([7]), version: 4, schema: 2, isAwake: claim.key == key)
    }
    #expect(try await store.save(saved).isEmpty)
    let records = store.records.mapValues { "\($0.version) \($0.schema) \($0.document) \($0.isAwake)" }
    #expect(records == [key: "4 2 [7] true", Trees.key("2"): "4 2 [7] false"])
    #expect(store.awakeKeys == [key])
  }
}
