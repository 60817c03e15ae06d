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
/// let orders = TreeDirectory("order", in: MeasuredStore(base: MemoryStore())) { (id: Int) in
///   RootBuilder(dependency: AppComponent()).build()
/// }
/// ```
public protocol ForwardingStore: TreeStore {
  /// The store that gets the calls.
  var base: any TreeStore { get }

  /// Passes on a call of a function that the conforming type does not implement. The default calls `call` once.
  ///
  /// Implement it to treat these calls alike, such as to replace their errors. It may be called concurrently, on any thread.
  ///
  /// - Parameter call: calls the function of `base`.
  /// - Returns: the result of the function.
  /// - Throws: the error of the function.
  func forward<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value
}

extension ForwardingStore {
  public func forward<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value { try await call() }

  public var isShared: Bool { base.isShared }

  public func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try await forward { try await base.claim(key, by: owner, schema: schema) }
  }

  public func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    try await forward { try await base.save(records) }
  }

  public func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    try await forward { try await base.due(kind, limit: limit, schema: schema) }
  }

  public func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    try await forward { try await base.renew(owner, for: duration) }
  }

  public func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? {
    try await forward { try await base.revive(owner, for: duration, holding: fences) }
  }

  public func contains(_ key: TreeKey) async throws -> Bool { try await forward { try await base.contains(key) } }

  public func note(_ starts: [TreeStart]) async throws { try await forward { try await base.note(starts) } }

  public func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    try await forward { try await base.quarantined(kind) }
  }

  public func retry(_ key: TreeKey) async throws { try await forward { try await base.retry(key) } }
}
