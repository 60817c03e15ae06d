// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("A faulty store")
struct FaultyStoreTests {
  private let base = MemoryStore()
  private let key = TreeKey(kind: "order", id: "1")
  private let owner = TreeOwner()

  private func record(_ text: String, version: UInt64 = 1) -> TreeRecord {
    Trees.Claim(key: key, fence: 1, saved: nil).record(text, version: version, isAwake: true)
  }

  @Test("fails before or after the effect of a call, and counts calls")
  func failures() async throws {
    let store = FaultyStore(base) { call in
      switch (call.function, call.numberOfFunction) {
      case (.save, 1): .failsBeforeEffect
      case (.save, 2): .failsAfterEffect
      default: nil
      }
    }
    _ = try await store.claim(key, by: owner, schema: 1)
    let before = await #expect(throws: StoreFault.self) { try await store.save([record("one")]) }
    #expect(before?.hasEffect == false && base.records.isEmpty)
    let after = await #expect(throws: StoreFault.self) { try await store.save([record("one")]) }
    #expect(after?.description == "Call 3 of the store, save, failed after its effect.")
    #expect(base.records[key]?.version == 1)
    #expect(try await store.save([record("one")]) == [])
    let calls = store.calls.map { "\($0.number) \($0.function) \($0.numberOfFunction)" }
    #expect(calls == ["1 claim 1", "2 save 1", "3 save 2", "4 save 3"])
    #expect(store.calls.allSatisfy { $0.keys == [key] })
  }

  @Test("has leases if the store behind it does")
  func leases() throws {
    #expect(FaultyStore(base).isShared)
    #expect(try !FaultyStore(FileStore(directory: TemporaryFolder().path)).isShared)
  }

  @Test("refuses in each function, without an effect")
  func refusals() async throws {
    _ = try await base.claim(key, by: owner, schema: 1)
    _ = try await base.save([record("one")])
    let store = FaultyStore(base) { _ in .isRefused }
    #expect(try await store.claim(key, by: owner, schema: 1) == .elsewhere(address: "elsewhere"))
    #expect(try await store.save([record("two", version: 2)]) == [key])
    #expect(try await store.due("order", limit: 10, schema: 1) == [])
    #expect(try await !store.renew(owner, for: .seconds(1)))
    #expect(base.records[key]?.version == 1)
    #expect(try await base.due("order", limit: 10, schema: 1) == [key])
  }

  @Test("lets a call wait until it is resumed")
  func waiting() async throws {
    let store = FaultyStore(base) { $0.function == .save ? .waits : nil }
    _ = try await store.claim(key, by: owner, schema: 1)
    let save = Task { [record = record("one")] in try await store.save([record]) }
    await store.waitForWaitingCall()
    await store.waitForWaitingCall()
    #expect(store.waitingCount == 1 && base.records.isEmpty)
    store.resume()
    #expect(try await save.value == [])
    #expect(store.waitingCount == 0 && base.records[key] != nil)
  }

  @Test("delays a call on its clock")
  func lateness() async throws {
    let clock = TestClock()
    let store = FaultyStore(base, clock: clock) { $0.number == 1 ? .isLate(by: .seconds(3)) : nil }
    let claim = Task { [key, owner] in try await store.claim(key, by: owner, schema: 1) }
    await clock.waitForSleeper()
    #expect(clock.deadlines.map(\.sinceBeginning) == [.seconds(3)])
    clock.advance(by: .seconds(3))
    #expect(try await claim.value == .claimed(fence: 1, saved: nil))
  }

  @Test("fails at random, and in the same way for equal seeds")
  func seeds() async throws {
    func outcomes(_ seed: UInt64, _ rate: Double) async -> [Bool?] {
      let store = FaultyStore(MemoryStore(), seed: seed, rate: rate)
      var outcomes: [Bool?] = []
      for _ in 0..<200 {
        do {
          _ = try await store.claim(key, by: owner, schema: 1)
          outcomes.append(nil)
        } catch { outcomes.append((error as? StoreFault)?.hasEffect) }
      }
      return outcomes
    }
    let first = await outcomes(7, 0.5)
    #expect(await outcomes(7, 0.5) == first)
    #expect(await outcomes(8, 0.5) != first)
    for outcome in [nil, true, false] as [Bool?] { #expect(first.count { $0 == outcome } > 20) }
    #expect(await outcomes(7, 0).allSatisfy { $0 == nil })
    #expect(await outcomes(7, 1).allSatisfy { $0 != nil })
  }
}
