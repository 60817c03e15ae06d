// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("A store in memory")
struct MemoryStoreTests {
  private let key = TreeKey(kind: "order", id: "1")
  private let owner = TreeOwner(address: "one")
  private let other = TreeOwner(address: "two")

  /// Claims the tree for the owner, whose lease lasts ten seconds.
  private func claim(in store: MemoryStore) async throws {
    #expect(try await store.renew(owner, for: .seconds(10)))
    #expect(try await store.claim(key, by: owner, schema: 1) == .claimed(fence: 1, saved: nil))
  }

  @Test("ends leases on its clock")
  func leases() async throws {
    let clock = TestClock()
    let store = MemoryStore(clock: clock)
    try await claim(in: store)
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

  /// A clock that a thread reads late: it waits before it continues with the time.
  private struct LateClock: Clock {
    let base = TestClock()
    /// The number of readers that are late.
    let late = Shared(0)
    let hasRead = DispatchSemaphore(value: 0)
    let mayContinue = DispatchSemaphore(value: 0)

    var now: TestClock.Instant {
      let now = base.now
      if late.take() {
        hasRead.signal()
        mayContinue.wait()
      }
      return now
    }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test("renews no lease whose trees another owner has claimed since the renewal has read the time")
  func lateRenewal() async throws {
    let clock = LateClock()
    let store = MemoryStore(clock: clock)
    try await claim(in: store)
    clock.base.advance(by: .seconds(9))
    clock.late.value = 1
    let renewal = Task(executorPreference: OwnThread()) { [owner] in try await store.renew(owner, for: .seconds(10)) }
    clock.hasRead.wait()
    clock.base.advance(by: .seconds(1))
    let claim = Task(executorPreference: OwnThread()) { [key, other] in
      try await store.claim(key, by: other, schema: 1)
    }
    for _ in 0..<1_000 { await Task.yield() }
    clock.mayContinue.signal()
    let isRenewed = try await renewal.value
    #expect(try await claim.value == (isRenewed ? .elsewhere(address: "one") : .claimed(fence: 2, saved: nil)))
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
