// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBsStore
import Synchronization

/// Whether the process should get requests: not while it stops, while its store fails or hangs, and without a lease.
public final class Health: Sendable {
  /// The functions of a store that fail together. Saves may fail alone, as with a full disk.
  fileprivate enum Function { case save, note, read }

  private struct State {
    var fails: Set<Function> = []
    var hasLostLease = false
    var number = 0
    /// When the calls began that have not ended.
    var calls: [Int: ContinuousClock.Instant] = [:]
  }

  private let isStopping: @Sendable () -> Bool
  private let patience: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - patience: how long a call of the store may take.
  ///   - isStopping: whether the process stops.
  public init(patience: Duration, isStopping: @escaping @Sendable () -> Bool) {
    (self.patience, self.isStopping) = (patience, isStopping)
  }

  /// Nil if the process is ready.
  public var reasonNotReady: String? {
    if isStopping() { return "The server is stopping." }
    let late = ContinuousClock.now - patience
    return state.withLock { state in
      if state.hasLostLease { return "The lease has ended." }
      if !state.fails.isEmpty { return "The store fails." }
      return state.calls.values.contains { $0 < late } ? "The store does not answer." : nil
    }
  }

  /// Records an event of the directory.
  public func record<ID: Sendable>(_ event: DirectoryEvent<ID>) {
    switch event {
    case .leaseEnded, .leaseLost: state.withLock { $0.hasLostLease = true }
    default: break
    }
  }

  /// The store, with its calls observed. Its errors are thrown as `StoreFailure`.
  public func observing(_ store: any TreeStore) -> any TreeStore { ObservedStore(store: store, health: self) }

  fileprivate func observe<Value>(_ function: Function, _ call: () async throws -> Value) async throws -> Value {
    let number = begin()
    do {
      let value = try await call()
      end(number, function, fails: false)
      return value
    } catch {
      end(number, function, fails: true)
      throw StoreFailure(reason: error)
    }
  }

  fileprivate func didRenew() { state.withLock { $0.hasLostLease = false } }

  private func begin() -> Int {
    state.withLock { state in
      state.number += 1
      state.calls[state.number] = .now
      return state.number
    }
  }

  private func end(_ number: Int, _ function: Function, fails: Bool) {
    state.withLock { state in
      state.calls[number] = nil
      if fails { state.fails.insert(function) } else { state.fails.remove(function) }
    }
  }
}

/// A call of the store has failed. It may succeed when it is repeated.
public struct StoreFailure: Error, CustomStringConvertible {
  /// The error of the store.
  public let reason: any Error

  /// That of the error. Those of the stores have no secrets.
  public var description: String { "\(reason)" }
}

/// A store whose calls are observed.
private struct ObservedStore: TreeStore {
  let store: any TreeStore
  let health: Health

  var isShared: Bool { store.isShared }

  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try await health.observe(.read) { try await store.claim(key, by: owner, schema: schema) }
  }

  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    try await health.observe(.save) { try await store.save(records) }
  }

  func contains(_ key: TreeKey) async throws -> Bool {
    try await health.observe(.read) { try await store.contains(key) }
  }

  func note(_ starts: [TreeStart]) async throws { try await health.observe(.note) { try await store.note(starts) } }

  func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    try await health.observe(.read) { try await store.quarantined(kind) }
  }

  func retry(_ key: TreeKey) async throws { try await health.observe(.note) { try await store.retry(key) } }

  func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    try await health.observe(.read) { try await store.due(kind, limit: limit, schema: schema) }
  }

  func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    let isRenewed = try await health.observe(.read) { try await store.renew(owner, for: duration) }
    if isRenewed { health.didRenew() }
    return isRenewed
  }

  func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? {
    let taken = try await health.observe(.read) { try await store.revive(owner, for: duration, holding: fences) }
    if taken != nil { health.didRenew() }
    return taken
  }
}
