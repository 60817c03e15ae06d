// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
public import RIBsStore

/// A store in front of another one, whose calls fail, wait or are refused by the script of a test.
///
/// ```swift
/// let store = FaultyStore(MemoryStore()) { $0.function == .save && $0.number == 3 ? .failsAfterEffect : nil }
/// print(store.calls.count)
/// ```
///
/// To try a fault at each point of a scenario, run the scenario without faults, count `calls`, and run it again for each
/// number.
public final class FaultyStore: TreeStore {
  /// A function of a store.
  public enum Function: String, CaseIterable, Sendable {
    /// `claim(_:by:schema:)`.
    case claim
    /// `save(_:)`.
    case save
    /// `due(_:limit:schema:)`.
    case due
    /// `contains(_:)`.
    case contains
    /// `note(_:)`.
    case note
    /// `quarantined(_:)`.
    case quarantined
    /// `retry(_:)`.
    case retry
    /// `renew(_:for:)`.
    case renew
    /// `revive(_:for:holding:)`.
    case revive
  }

  /// A call of a store.
  public struct Call: Hashable, Sendable {
    /// The number of the call among all, from 1, in the order in which the calls began.
    public let number: Int
    /// The number of the call among those of its function, from 1.
    public let numberOfFunction: Int
    /// The called function.
    public let function: Function
    /// The trees of a claim, a save, `contains`, `note`, `retry` or `revive`; empty for other functions.
    public let keys: [TreeKey]
  }

  /// What happens to a call.
  public enum Fault: Hashable, Sendable {
    /// It throws a `StoreFault` and has no effect.
    case failsBeforeEffect
    /// It throws a `StoreFault` after its effect. To the caller that looks the same.
    case failsAfterEffect
    /// It has its effect when the test calls `resume()`.
    case waits
    /// It has its effect at once, and answers when the test calls `resume()`.
    case waitsAfterEffect
    /// It has its effect after a pause on the clock of the store.
    case isLate(by: Duration)
    /// It has no effect. A claim finds the tree elsewhere, at the address `elsewhere`; all records of a save are fenced;
    /// no tree is due, contained or quarantined; a lease has ended, and can't be revived.
    case isRefused
  }

  private struct State {
    var calls: [Call] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Resumed when a call waits.
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let base: any TreeStore
  private let fault: @Sendable (Call) -> Fault?
  private let pause: @Sendable (Duration) async throws -> Void
  private let state = Locked(State())

  /// Creates a store with a script.
  ///
  /// - Parameters:
  ///   - base: the store that has the effects.
  ///   - clock: measures `Fault.isLate(by:)`.
  ///   - fault: decides for each call, before its effect; nil if nothing happens to it. It may be called on any thread.
  public init<C: Clock>(
    _ base: any TreeStore, clock: C = ContinuousClock(), fault: @escaping @Sendable (Call) -> Fault? = { _ in nil }
  ) where C.Duration == Duration {
    self.base = base
    self.fault = fault
    pause = { try await clock.sleep(for: $0.boundedTimeout) }
  }

  /// Creates a store in which random calls fail, before or after their effect.
  ///
  /// - Parameters:
  ///   - base: the store that has the effects.
  ///   - seed: equal seeds give equal faults to equal numbers of calls.
  ///   - rate: the share of the calls that fail, from 0 to 1.
  public convenience init(_ base: any TreeStore, seed: UInt64, rate: Double) {
    self.init(base) { call in
      var random = TreeRandom(seed: seed ^ UInt64(call.number) &* 0x9E37_79B9_7F4A_7C15)
      guard Double.random(in: 0..<1, using: &random) < rate else { return nil }
      return Bool.random(using: &random) ? .failsBeforeEffect : .failsAfterEffect
    }
  }

  /// All calls, in the order in which they began.
  public var calls: [Call] { state.withLock { $0.calls } }

  /// The number of calls that wait for `resume()`.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Lets all waiting calls continue.
  public func resume() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when a call waits for `resume()`; at once if one does already.
  public func waitForWaitingCall() async {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        if state.waiting.isEmpty { state.watchers.append(continuation) }
        return !state.waiting.isEmpty
      }
      if isWaiting { continuation.resume() }
    }
  }

  public var isShared: Bool { base.isShared }

  public func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try await call(.claim, [key], refusal: .elsewhere(address: "elsewhere")) {
      try await $0.claim(key, by: owner, schema: schema)
    }
  }

  public func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    let keys = records.map(\.key)
    return try await call(.save, keys, refusal: Set(keys)) { try await $0.save(records) }
  }

  public func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    try await call(.due, [], refusal: []) { try await $0.due(kind, limit: limit, schema: schema) }
  }

  public func contains(_ key: TreeKey) async throws -> Bool {
    try await call(.contains, [key], refusal: false) { try await $0.contains(key) }
  }

  public func note(_ starts: [TreeStart]) async throws {
    try await call(.note, starts.map(\.key), refusal: ()) { try await $0.note(starts) }
  }

  public func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    try await call(.quarantined, [], refusal: [:]) { try await $0.quarantined(kind) }
  }

  public func retry(_ key: TreeKey) async throws {
    try await call(.retry, [key], refusal: ()) { try await $0.retry(key) }
  }

  public func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    try await call(.renew, [], refusal: false) { try await $0.renew(owner, for: duration) }
  }

  public func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? {
    try await call(.revive, fences.keys.sorted(), refusal: nil) {
      try await $0.revive(owner, for: duration, holding: fences)
    }
  }

  private func call<Value: Sendable>(
    _ function: Function, _ keys: [TreeKey], refusal: Value, _ body: @Sendable (any TreeStore) async throws -> Value
  ) async throws -> Value {
    let call = state.withLock { state in
      let earlier = state.calls.count { $0.function == function }
      let call = Call(
        number: state.calls.count + 1, numberOfFunction: earlier + 1, function: function, keys: keys)
      state.calls.append(call)
      return call
    }
    switch fault(call) {
    case nil: break
    case .failsBeforeEffect: throw StoreFault(call: call, hasEffect: false)
    case .failsAfterEffect:
      _ = try await body(base)
      throw StoreFault(call: call, hasEffect: true)
    case .waits: await waitForResume()
    case .waitsAfterEffect:
      let value = try await body(base)
      await waitForResume()
      return value
    case .isLate(let duration): try await pause(duration)
    case .isRefused: return refusal
    }
    return try await body(base)
  }

  private func waitForResume() async {
    await withCheckedContinuation { continuation in
      let watchers = state.withLock { state in
        state.waiting.append(continuation)
        defer { state.watchers = [] }
        return state.watchers
      }
      for watcher in watchers { watcher.resume() }
    }
  }
}

/// The error of a call that fails by the script of a `FaultyStore`.
public struct StoreFault: Error, Hashable, CustomStringConvertible {
  /// The call.
  public let call: FaultyStore.Call
  /// Whether the call had its effect before it failed.
  public let hasEffect: Bool

  /// The number and the function of the call.
  public var description: String {
    "Call \(call.number) of the store, \(call.function.rawValue), failed \(hasEffect ? "after" : "before") its effect."
  }
}
