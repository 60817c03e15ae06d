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

  @Test("wakes trees on its wall clock")
  func wakes() async throws {
    let clock = TestClock(wallTime: .noon)
    let store = MemoryStore(wallClock: clock.wallClock)
    for (id, seconds) in [("3", 3), ("1", 1), ("2", 2)] {
      let key = TreeKey(kind: "order", id: id)
      _ = try await store.claim(key, by: TreeOwner(), schema: 1)
      let record = TreeRecord(
        key: key, fence: 1, version: 1, schema: 1, content: .document([]), isAwake: false,
        wakes: .noon + .seconds(seconds), isReleased: true)
      #expect(try await store.save([record]).isEmpty)
    }
    var transcript: [[String]] = []
    for milliseconds in [0, 999, 1_000, 3_000] {
      clock.wallTime = .noon + .milliseconds(milliseconds)
      transcript.append(try await store.due("order", limit: 10, schema: 1).map(\.id))
    }
    #expect(transcript == [[], [], ["1"], ["1", "2", "3"]])
  }

  @Test("shows its records")
  func records() async throws {
    let store = MemoryStore()
    let asleep = TreeKey(kind: "order", id: "2")
    for key in [key, asleep] {
      _ = try await store.claim(key, by: TreeOwner(), schema: 1)
      let record = TreeRecord(
        key: key, fence: 1, version: 4, schema: 2, content: .document([7]), isAwake: key != asleep, isReleased: false)
      #expect(try await store.save([record]).isEmpty)
    }
    let records = store.records.mapValues { "\($0.version) \($0.schema) \($0.document) \($0.isAwake)" }
    #expect(records == [key: "4 2 [7] true", asleep: "4 2 [7] false"])
    #expect(store.awakeKeys == [key])
  }
}
