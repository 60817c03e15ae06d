// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Whether a process should get requests: not while its store fails or hangs, and not without a lease.
///
/// A server answers its readiness probe with it, so that a balancer sends requests to other processes meanwhile. Pass the
/// observed store and the events to each directory:
///
/// ```swift
/// let health = StoreHealth(patience: .seconds(2))
/// let orders = TreeDirectory(
///   "order", in: health.observing(MemoryStore()), onEvent: { event in health.record(event) },
///   build: { (id: Int) in Router(interactor: Interactor()) })
/// print(health.reasonNotReady ?? "\(orders.kind): ready")
/// ```
public final class StoreHealth: Sendable {
  /// The functions of a store that fail together. Saves may fail alone, as with a full disk.
  ///
  /// Only those are distinguished that are called again until they succeed: saves are repeated, and each round reads. Notes
  /// count as reads, because a save that succeeds first makes the next note needless.
  fileprivate enum Function { case save, read }

  private struct State {
    var fails: Set<Function> = []
    var hasLostLease = false
    var number = 0
    /// When the calls began that have not ended.
    var calls: [Int: ContinuousClock.Instant] = [:]
  }

  private let patience: Duration
  private let state = Locked(State())

  /// Creates the health of a process.
  ///
  /// - Parameter patience: how long a call of the store may take.
  public init(patience: Duration) { self.patience = patience.boundedTimeout }

  /// Why the process is not ready, in a sentence without secrets; nil if it is ready.
  ///
  /// - Complexity: O(*n*) in the number of calls of the store that have not ended.
  public var reasonNotReady: String? {
    let late = ContinuousClock.now - patience
    return state.withLock { state in
      if state.hasLostLease { return "The lease has ended." }
      if !state.fails.isEmpty { return "The store fails." }
      return state.calls.values.contains { $0 < late } ? "The store does not answer." : nil
    }
  }

  /// Records an event of a directory.
  public func record<ID: Sendable>(_ event: DirectoryEvent<ID>) {
    switch event {
    case .leaseEnded, .leaseLost: state.withLock { $0.hasLostLease = true }
    default: break
    }
  }

  /// The store, with its calls observed. Its errors are thrown as `StoreFailure`.
  public func observing(_ store: any TreeStore) -> any TreeStore { ObservedStore(base: store, health: self) }

  fileprivate func observe<Value>(_ function: Function, _ call: () async throws -> Value) async throws -> Value {
    let number = begin()
    do {
      let value = try await call()
      end(number, function, fails: false)
      return value
    } catch {
      end(number, function, fails: error.storeError?.isOfTree == true ? nil : true)
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

  /// - Parameter fails: whether the store fails; nil if the call does not show that.
  private func end(_ number: Int, _ function: Function, fails: Bool?) {
    state.withLock { state in
      state.calls[number] = nil
      switch fails {
      case true?: state.fails.insert(function)
      case false?: state.fails.remove(function)
      case nil: break
      }
    }
  }
}

/// An error of a store that says whether all trees are concerned, or one.
///
/// The errors of a store of your own conform to it if they can have either cause. An error that does not conform is taken
/// for one of the store.
public protocol TreeStoreError: Error {
  /// Whether only the tree of the call is concerned, as by a damaged record, a row that is locked, or an ID that can't be
  /// stored. The store does not fail, and a process stays ready.
  var isOfTree: Bool { get }

  /// Whether the call fails each time, because the store can't hold the ID of the tree. A directory does not open the tree
  /// later, and `CallRefusal` does not ask the client to repeat the request. Defaults to false.
  var isPermanent: Bool { get }
}

extension TreeStoreError {
  /// False.
  public var isPermanent: Bool { false }
}

extension Error {
  /// The error of a store, also if its calls are observed; nil if it does not say what it concerns.
  var storeError: (any TreeStoreError)? { ((self as? StoreFailure)?.reason ?? self) as? any TreeStoreError }
}

/// A call of the store has failed. It may succeed when it is repeated.
public struct StoreFailure: Error, CustomStringConvertible {
  /// The error of the store.
  public let reason: any Error

  /// Creates an error.
  public init(reason: any Error) { self.reason = reason }

  /// That of the error. Those of the stores of this package have no secrets.
  public var description: String { "\(reason)" }
}

/// A store whose calls are observed.
private struct ObservedStore: ForwardingStore {
  let base: any TreeStore
  let health: StoreHealth

  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try await health.observe(.read) { try await base.claim(key, by: owner, schema: schema) }
  }

  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    try await health.observe(.save) { try await base.save(records) }
  }

  func contains(_ key: TreeKey) async throws -> Bool {
    try await health.observe(.read) { try await base.contains(key) }
  }

  func note(_ starts: [TreeStart]) async throws { try await health.observe(.read) { try await base.note(starts) } }

  func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    try await health.observe(.read) { try await base.quarantined(kind) }
  }

  func retry(_ key: TreeKey) async throws { try await health.observe(.read) { try await base.retry(key) } }

  func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    try await health.observe(.read) { try await base.due(kind, limit: limit, schema: schema) }
  }

  func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    let isRenewed = try await health.observe(.read) { try await base.renew(owner, for: duration) }
    if isRenewed { health.didRenew() }
    return isRenewed
  }

  func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? {
    let taken = try await health.observe(.read) { try await base.revive(owner, for: duration, holding: fences) }
    if taken != nil { health.didRenew() }
    return taken
  }
}
