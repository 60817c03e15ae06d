// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A store in memory, for tests. It fulfills the whole contract of `TreeStore`, leases included.
///
/// Several directories can share one, as several processes share a database. Its records are lost with it.
///
/// ```swift
/// let clock = TestClock()
/// let store = MemoryStore(clock: clock)
/// print(store.records.count)
/// ```
///
/// An owner has a lease once it has called `renew`. Without a lease, another owner can claim its trees at any time.
public final class MemoryStore: TreeStore {
  /// A tree that was claimed at least once. The row stays when its record is removed, because it contains the fence.
  fileprivate struct Row {
    var owner: TreeOwner?
    var fence: UInt64 = 0
    /// The version of the last save, also of one that left the document unchanged or removed it.
    var version: UInt64 = 0
    var saved: SavedRecord?
    /// The starts since the last one that has succeeded.
    var starts: UnfinishedStarts?
    var isQuarantined = false
    var isAwake: Bool { saved?.isAwake ?? false }
  }

  fileprivate enum Lease {
    case neverRenewed
    case holds(until: Duration)
    /// A later owner has the address.
    case ended
  }

  fileprivate struct State {
    var rows: [TreeKey: Row] = [:]
    var owners: [TreeOwner: Lease] = [:]
    /// The latest owner of each address.
    var owner: [String: TreeOwner] = [:]
  }

  private let state = Locked(State())
  /// The time of a lease, which is read while the state is locked: a renewal that has read it before a claim finds the lease
  /// ended must come before that claim.
  private let now: Stopwatch
  private let wallClock: WallTime.Clock

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - clock: measures leases.
  ///   - wallClock: decides when the wake time of a tree has come.
  public init<C: Clock>(clock: C = ContinuousClock(), wallClock: WallTime.Clock = .system)
  where C.Duration == Duration {
    now = Stopwatch(on: clock)
    self.wallClock = wallClock
  }

  /// The stored records.
  public var records: [TreeKey: SavedRecord] { state.withLock { $0.rows.compactMapValues(\.saved) } }

  /// The trees that were awake when they were last saved, sorted, whether an owner has claimed them or not.
  public var awakeKeys: [TreeKey] { state.withLock { $0.rows.filter(\.value.isAwake).keys.sorted() } }

  public func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    state.withLock { state in
      state.meet(owner)
      let now = now()
      var row = state.rows[key] ?? Row()
      if let holder = row.owner, holder != owner, state.isAlive(holder, at: now) {
        return .elsewhere(address: holder.address)
      }
      if let saved = row.saved, saved.schema > schema { return .laterSchema(saved.schema) }
      if row.isQuarantined, let starts = row.starts { return .quarantined(starts) }
      row.owner = owner
      row.fence += 1
      // The owner continues from the version that it receives here.
      row.version = row.saved?.version ?? 0
      let saved = row.saved?.with(row.starts)
      row.starts = row.starts ?? UnfinishedStarts(count: 1)
      state.rows[key] = row
      return .claimed(fence: row.fence, saved: saved)
    }
  }

  public func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    state.withLock { state in
      var fenced: Set<TreeKey> = []
      for record in records {
        guard var row = state.rows[record.key], row.fence == record.fence else {
          fenced.insert(record.key)
          continue
        }
        guard record.version >= row.version else { continue }
        row.apply(record)
        state.rows[record.key] = row
      }
      return fenced
    }
  }

  public func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    state.withLock { state in
      let (now, wallTime) = (now(), wallClock.now)
      // The trees that were awake count as oldest.
      let due: [(time: WallTime?, key: TreeKey)] = state.rows.compactMap { key, row in
        guard !row.isQuarantined, key.kind == kind, let saved = row.saved, saved.schema <= schema,
          row.owner.map({ !state.isAlive($0, at: now) }) ?? true
        else { return nil }
        if saved.isAwake { return (nil, key) }
        return saved.wakes.flatMap { $0 <= wallTime ? ($0, key) : nil }
      }
      let sorted = due.sorted { one, other in
        switch (one.time, other.time) {
        case (nil, _?): true
        case (_?, nil): false
        case (nil, nil): one.key < other.key
        case (let time?, let otherTime?): (time, one.key) < (otherTime, other.key)
        }
      }
      return sorted.prefix(max(limit, 0)).map(\.key)
    }
  }

  public func contains(_ key: TreeKey) async throws -> Bool { state.withLock { $0.rows[key]?.saved != nil } }

  public func note(_ starts: [TreeStart]) async throws {
    state.withLock { state in
      for start in starts where state.rows[start.key]?.fence == start.fence {
        state.rows[start.key]?.apply(start.state)
      }
    }
  }

  public func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    state.withLock { state in
      state.rows.filter { $0.key.kind == kind && $0.value.isQuarantined }.compactMapValues(\.starts)
    }
  }

  public func retry(_ key: TreeKey) async throws {
    state.withLock { state in
      guard state.rows[key]?.isQuarantined == true else { return }
      state.rows[key]?.isQuarantined = false
      state.rows[key]?.starts = nil
    }
  }

  public func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    state.withLock { state in
      state.meet(owner)
      let now = now()
      switch state.owners[owner] {
      case .holds(let end) where end <= now: return false
      case .ended: return false
      default:
        state.owners[owner] = .holds(until: now + duration.boundedTimeout)
        return true
      }
    }
  }

  public func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? {
    state.withLock { state in
      switch state.owners[owner] {
      case nil, .ended: return nil
      case .neverRenewed, .holds: break
      }
      state.owners[owner] = .holds(until: now() + duration.boundedTimeout)
      return Set(fences.filter { key, fence in state.rows[key]?.fence != fence }.keys)
    }
  }
}

extension MemoryStore.State {
  /// Ends the lease of the owner that had the address before.
  fileprivate mutating func meet(_ newcomer: TreeOwner) {
    guard owners[newcomer] == nil else { return }
    owners[newcomer] = .neverRenewed
    guard !newcomer.address.isEmpty else { return }
    if let predecessor = owner.updateValue(newcomer, forKey: newcomer.address) { owners[predecessor] = .ended }
  }

  fileprivate func isAlive(_ owner: TreeOwner, at now: Duration) -> Bool {
    if case .holds(let end) = owners[owner] { end > now } else { false }
  }
}

extension MemoryStore.Row {
  fileprivate mutating func apply(_ record: TreeRecord) {
    version = record.version
    switch record.content {
    case .document(let document):
      saved = SavedRecord(
        version: version, schema: record.schema, document: document, isAwake: record.isAwake, wakes: record.wakes)
    case .unchanged:
      saved = saved.map {
        SavedRecord(
          version: version, schema: $0.schema, document: $0.document, isAwake: record.isAwake, wakes: record.wakes)
      }
    case .removed:
      saved = nil
    }
    starts = nil
    if record.isReleased { owner = nil }
  }

  fileprivate mutating func apply(_ state: TreeStart.State) {
    switch state {
    case .begins(let all): starts = all
    case .succeeded: starts = nil
    case .quarantined: (isQuarantined, owner) = (true, nil)
    }
  }
}

extension SavedRecord {
  /// The record with the starts that a store has counted.
  func with(_ starts: UnfinishedStarts?) -> SavedRecord {
    SavedRecord(
      version: version, schema: schema, document: document, isAwake: isAwake, wakes: wakes, unfinishedStarts: starts)
  }
}
