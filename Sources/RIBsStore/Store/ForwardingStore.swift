// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// A store in front of another one: it passes on each call that it does not implement itself.
///
/// Conform to it to measure, observe or change calls of a store. A plain `TreeStore` in front of another one has to implement
/// all functions: one that is forgotten gets its default, and trees that end their process are never quarantined, for
/// example.
///
/// ```swift
/// struct MeasuredStore: ForwardingStore {
///   let base: any TreeStore
///
///   func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
///     let start = ContinuousClock.now
///     defer { print("saved", records.count, "in", ContinuousClock.now - start) }
///     return try await base.save(records)
///   }
/// }
/// let store = MeasuredStore(base: MemoryStore())
/// print(store.isShared)
/// ```
public protocol ForwardingStore: TreeStore {
  /// The store that gets the calls.
  var base: any TreeStore { get }
}

extension ForwardingStore {
  /// That of the base.
  public var isShared: Bool { base.isShared }

  /// That of the base.
  public func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try await base.claim(key, by: owner, schema: schema)
  }

  /// That of the base.
  public func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> { try await base.save(records) }

  /// That of the base.
  public func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    try await base.due(kind, limit: limit, schema: schema)
  }

  /// That of the base.
  public func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    try await base.renew(owner, for: duration)
  }

  /// That of the base.
  public func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? { try await base.revive(owner, for: duration, holding: fences) }

  /// That of the base.
  public func contains(_ key: TreeKey) async throws -> Bool { try await base.contains(key) }

  /// That of the base.
  public func note(_ starts: [TreeStart]) async throws { try await base.note(starts) }

  /// That of the base.
  public func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    try await base.quarantined(kind)
  }

  /// That of the base.
  public func retry(_ key: TreeKey) async throws { try await base.retry(key) }
}
