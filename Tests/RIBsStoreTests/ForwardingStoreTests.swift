// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A store that forwards its calls")
struct ForwardingStoreTests {
  private let key = TreeKey(kind: "order", id: "1")
  private let owner = TreeOwner()

  @Test("makes each call of the store behind it once, none by a default")
  func allCalls() async throws {
    let behind = FaultyStore(MemoryStore())
    let store = ForwardedStore(base: behind)
    _ = try await store.claim(key, by: owner, schema: 1)
    _ = try await store.save([])
    _ = try await store.due("order", limit: 1, schema: 1)
    _ = try await store.renew(owner, for: .seconds(1))
    _ = try await store.revive(owner, for: .seconds(1), holding: [:])
    _ = try await store.contains(key)
    try await store.note([])
    _ = try await store.quarantined("order")
    try await store.retry(key)
    #expect(
      behind.calls.map(\.function) == [
        .claim, .save, .due, .renew, .revive, .contains, .note, .quarantined, .retry,
      ])
  }

  @Test("is shared if the store behind it is")
  func sharing() {
    #expect(ForwardedStore(base: MemoryStore()).isShared)
    #expect(!ForwardedStore(base: OwnStore()).isShared)
  }
}
