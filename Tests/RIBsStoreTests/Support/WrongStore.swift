// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore

/// A store that is right but for one mistake.
final class WrongStore: TreeStore {
  enum Mistake: String, CaseIterable, Sendable {
    case sameFence, fencesStartAgainAfterRemoval, equalFencesAtOnce, losesVersions, losesSchemas, claimsAsAsleep
    case claimsLaterSchemas, laterSchemaRobs, ignoresFences, refusesRepeats, refusesWholeBatches, dropsRestOfBatch
    case writesOlderVersions, refusesOlderVersions, refusesRepeatedReleases
    case changesSchemaOfUnchanged, losesUnchanged, sleepsUnchanged, makesUnchanged
    case keepsRemoved, removedStaysDue, remembersVersionOfRemoved
    case ignoresCase, ignoresKinds, endsTextsAtSlashes, losesEmptyDocuments, truncatesDocuments
    case heldIsDue, asleepIsDue, ignoresLimit, ignoresNegativeLimits, ignoresSchemaOfDue, limitsBeforeSchema
    case keepsReleased, ignoresLeases, keepsEndedLeases, renewsEnded, forgetsPredecessors, killsNameless
    case writesWithoutCheck, losesRecords, losesFences, bringsBackRemoved, forgetsAwake, refusesRenewal
    case marksNothing, countsEachClaim, keepsMarks, notesOldFences, ignoresNotes, notesOnlyTheFirst
    case claimsQuarantined, quarantinedIsDue, retriesNothing, listsAllKinds, retryChangesVersions
    case quarantineKeepsClaim, losesMarks, losesQuarantine
    case losesWakes, keepsWakesOfUnchanged, keepsWakesOfRemoved, ignoresWakes, wakesEarly, wakesOnce, wakesByKey
    case wakesBeforeAwake, wakesLaterSchemas, wakesQuarantined, wakesHeld, wakesOnlyReleased, losesWakesOfProcess
    case revivesNothing, forgetsTakenTrees, forgetsNewFences, revivesWithoutLease, revivesPredecessors,
      revivesAfterLooking

    /// Whether the suite reports that the mistake breaks this sentence of the contract.
    func isFound(in advice: String) -> Bool {
      // Two claims at once that get the same fence are also two writers, which the suite may see first.
      if self == .equalFencesAtOnce, advice.contains("two writers are impossible") { return true }
      return advice.contains(sentence)
    }

    /// A part of the sentence that the mistake breaks.
    private var sentence: String {
      switch self {
      case .sameFence, .fencesStartAgainAfterRemoval: "Claims raise the fence."
      case .equalFencesAtOnce: "All functions may be called concurrently."
      case .losesVersions, .losesSchemas, .claimsAsAsleep: "A claim returns what is saved"
      case .claimsLaterSchemas, .laterSchemaRobs: "A record of a later schema is not claimed"
      case .ignoresFences: "Every save carries its fence."
      case .refusesRepeats: "Saves are idempotent."
      case .refusesWholeBatches, .dropsRestOfBatch: "All others are written."
      case .writesOlderVersions, .refusesOlderVersions: "A record with a lower version"
      case .refusesRepeatedReleases: "A save that throws has an unknown outcome."
      case .changesSchemaOfUnchanged, .losesUnchanged, .sleepsUnchanged:
        "Content.unchanged: the document and its schema"
      case .makesUnchanged: "Content.unchanged: creates no record"
      case .keepsRemoved, .removedStaysDue: "Content.removed: the record is removed."
      case .remembersVersionOfRemoved: "Content.removed: a new tree"
      case .ignoresCase, .ignoresKinds, .endsTextsAtSlashes: "A tree has a kind and an ID."
      case .losesEmptyDocuments, .truncatesDocuments: "The document is any bytes"
      case .heldIsDue, .asleepIsDue: "due returns the trees without a living owner that"
      case .ignoresLimit, .ignoresNegativeLimits: "due returns at most limit keys, and none"
      case .ignoresSchemaOfDue, .limitsBeforeSchema: "due omits records of a later schema."
      case .keepsReleased: "A claim lasts until the record is saved with isReleased"
      case .ignoresLeases: "An owner that renews its lease keeps its trees"
      case .keepsEndedLeases, .renewsEnded: "An owner whose lease has ended"
      case .forgetsPredecessors, .killsNameless: "An earlier owner with the same address"
      case .revivesNothing, .forgetsTakenTrees, .forgetsNewFences, .revivesWithoutLease:
        "revive returns the trees that another owner has claimed"
      case .revivesPredecessors: "An owner is not revived if a later owner has its address."
      case .revivesAfterLooking: "exclude each other"
      case .writesWithoutCheck: "one atomic step"
      case .losesRecords: "Saves are durable. When save returns"
      case .losesFences: "than those of earlier processes"
      case .bringsBackRemoved: "also those that remove a record"
      case .forgetsAwake: "After a crash the trees are due"
      case .refusesRenewal: "needs no leases"
      case .marksNothing, .countsEachClaim, .keepsMarks: "A claim marks the start of a tree as unfinished."
      case .notesOldFences, .ignoresNotes, .notesOnlyTheFirst: "note changes what is known of the starts of a tree"
      case .claimsQuarantined, .quarantinedIsDue, .retriesNothing, .listsAllKinds, .retryChangesVersions:
        "A tree in quarantine is not claimed and not due"
      case .quarantineKeepsClaim: "A quarantine ends the claim"
      case .losesMarks: "Starts are counted over processes"
      case .losesQuarantine: "A quarantine is one of all processes"
      case .losesWakes, .keepsWakesOfUnchanged, .keepsWakesOfRemoved: "A record says when its tree must wake"
      case .ignoresWakes, .wakesEarly, .wakesOnce: "due returns a sleeping tree when its wake time has come"
      case .wakesByKey, .wakesBeforeAwake: "then the others by their wake times"
      case .wakesLaterSchemas, .wakesQuarantined: "due omits sleeping trees of a later schema"
      case .wakesHeld, .wakesOnlyReleased: "when the lease of its owner has ended, and not before"
      case .losesWakesOfProcess: "A wake time survives the process"
      }
    }
  }

  struct State {
    var fences: [TreeKey: UInt64] = [:]
    var records: [TreeKey: SavedRecord] = [:]
    var versions: [TreeKey: UInt64] = [:]
    var awake: Set<TreeKey> = []
    var held: [TreeKey: TreeOwner] = [:]
    var released: Set<TreeKey> = []
    var ended: Set<TreeOwner> = []
    /// Those whose address a later owner has.
    var replaced: Set<TreeOwner> = []
    var renewed: [TreeOwner] = []
    var removed: [TreeKey: SavedRecord] = [:]
    var starts: [TreeKey: UnfinishedStarts] = [:]
    var quarantined: Set<TreeKey> = []
    var wakes: [TreeKey: WallTime] = [:]
    var woken: Set<TreeKey> = []

    func isAlive(_ owner: TreeOwner) -> Bool { renewed.contains(owner) && !ended.contains(owner) }
  }

  private let mistake: Mistake
  private let state: Locked<State>

  init(_ mistake: Mistake, _ state: State = State()) {
    self.mistake = mistake
    self.state = Locked(state)
  }

  func reopened() -> WrongStore {
    var state = state.withLock { $0 }
    switch mistake {
    case .losesRecords: state.records = [:]
    case .losesFences: state.fences = [:]
    case .bringsBackRemoved: state.records.merge(state.removed) { record, _ in record }
    case .forgetsAwake: state.awake = []
    case .losesMarks: state.starts = [:]
    case .losesQuarantine: state.quarantined = []
    case .losesWakesOfProcess: state.wakes = [:]
    default: break
    }
    return WrongStore(mistake, state)
  }

  private func stored(_ key: TreeKey) -> TreeKey {
    switch mistake {
    case .ignoresCase: TreeKey(kind: key.kind, id: key.id.lowercased())
    case .ignoresKinds: TreeKey(kind: key.kind.lowercased(), id: key.id)
    case .endsTextsAtSlashes: TreeKey(kind: key.kind, id: key.id.split(separator: "/").first.map(String.init) ?? "")
    default: key
    }
  }

  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    let key = stored(key)
    let fence = state.withLock { $0.fences[key] ?? 0 }
    if mistake == .equalFencesAtOnce { for _ in 0..<100 { await Task.yield() } }
    return state.withLock { state in
      if let holder = state.held[key], holder != owner, state.isAlive(holder) || mistake == .keepsEndedLeases,
        mistake != .ignoresLeases
      {
        return .elsewhere(address: holder.address)
      }
      var saved = state.records[key]
      if let saved, saved.schema > schema, mistake != .claimsLaterSchemas {
        if mistake == .laterSchemaRobs { state.fences[key, default: 0] += 1 }
        return .laterSchema(saved.schema)
      }
      if state.quarantined.contains(key), let starts = state.starts[key], mistake != .claimsQuarantined {
        return .quarantined(starts)
      }
      state.held[key] = owner
      let starts = state.starts[key]
      if mistake != .marksNothing {
        let count = starts?.count ?? 0
        state.starts[key] = UnfinishedStarts(
          count: mistake == .countsEachClaim ? count + 1 : max(count, 1), last: starts?.last ?? "")
      }
      if mistake != .remembersVersionOfRemoved || saved != nil { state.versions[key] = saved?.version }
      switch mistake {
      case .sameFence where saved != nil: break
      case .equalFencesAtOnce: state.fences[key] = fence + 1
      default: state.fences[key, default: 0] += 1
      }
      if let record = saved {
        saved = SavedRecord(
          version: mistake == .losesVersions ? 0 : record.version, schema: mistake == .losesSchemas ? 1 : record.schema,
          document: record.document, isAwake: mistake != .claimsAsAsleep && state.awake.contains(key),
          wakes: mistake == .losesWakes ? nil : state.wakes[key], unfinishedStarts: starts)
      }
      return .claimed(fence: state.fences[key] ?? 0, saved: saved)
    }
  }

  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    var fenced: Set<TreeKey> = []
    let isFenced = state.withLock { state in
      records.map { mistake != .ignoresFences && state.fences[stored($0.key)] != $0.fence }
    }
    // Until another claim has come between the check and the write, if there is one.
    if mistake == .writesWithoutCheck {
      let fences = state.withLock { $0.fences }
      for _ in 0..<100 where state.withLock({ $0.fences == fences }) { await Task.yield() }
    }
    if mistake == .refusesWholeBatches, isFenced.contains(true) { return Set(records.map(\.key)) }
    state.withLock { state in
      for (index, record) in records.enumerated() {
        let key = stored(record.key)
        let isFenced =
          mistake == .writesWithoutCheck
          ? isFenced[index] : mistake != .ignoresFences && state.fences[key] != record.fence
        let version = state.versions[key]
        if isFenced
          || mistake == .refusesRepeats && record.version == version
          || mistake == .refusesOlderVersions && record.version < version ?? 0
          || mistake == .refusesRepeatedReleases && state.released.contains(key) && record.version == version
        {
          fenced.insert(record.key)
          if mistake == .dropsRestOfBatch { return }
        } else if mistake == .writesOlderVersions || record.version >= version ?? 0 {
          write(record, key, &state)
        }
      }
    }
    return fenced
  }

  private func write(_ record: TreeRecord, _ key: TreeKey, _ state: inout State) {
    state.versions[key] = record.version
    if mistake != .keepsMarks { state.starts[key] = nil }
    let old = state.records[key]
    if old != nil || record.content != .unchanged {
      if mistake != .sleepsUnchanged || record.content != .unchanged {
        if record.isAwake { state.awake.insert(key) } else { state.awake.remove(key) }
      }
    }
    if mistake != .keepsWakesOfUnchanged || record.content != .unchanged {
      if mistake != .keepsWakesOfRemoved || record.content != .removed { state.wakes[key] = record.wakes }
    }
    state.woken.remove(key)
    switch record.content {
    case .document(var document):
      if mistake == .truncatesDocuments { document = Array(document.prefix(65_536)) }
      if mistake == .losesEmptyDocuments, document.isEmpty { break }
      state.records[key] = SavedRecord(
        version: record.version, schema: record.schema, document: document, isAwake: record.isAwake)
    case .unchanged:
      switch mistake {
      case .changesSchemaOfUnchanged:
        state.records[key] = old.map {
          SavedRecord(
            version: record.version, schema: record.schema, document: $0.document, isAwake: record.isAwake)
        }
      case .losesUnchanged: state.records[key] = nil
      case .makesUnchanged where old == nil:
        state.records[key] = SavedRecord(version: record.version, schema: 1, document: [], isAwake: record.isAwake)
      default: break
      }
    case .removed:
      state.removed[key] = old ?? state.removed[key]
      if mistake != .keepsRemoved { state.records[key] = nil }
      if mistake != .removedStaysDue { state.awake.remove(key) }
      if mistake != .keepsWakesOfRemoved { state.wakes[key] = nil }
      if mistake == .fencesStartAgainAfterRemoval { state.fences[key] = 0 }
    }
    if record.isReleased {
      state.released.insert(key)
      if mistake != .keepsReleased { state.held[key] = nil }
    }
  }

  func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    let kind = stored(TreeKey(kind: kind, id: "")).kind
    return state.withLock { state in
      var due = (mistake == .asleepIsDue ? Set(state.records.keys) : state.awake).filter { key in
        guard key.kind == kind else { return false }
        guard !state.quarantined.contains(key) || mistake == .quarantinedIsDue else { return false }
        return mistake == .heldIsDue || !(state.held[key].map(state.isAlive) ?? false)
      }.sorted()
      due = wakes(of: kind, schema: schema, awake: due, &state)
      if mistake == .limitsBeforeSchema { due = Array(due.reversed().prefix(max(limit, 0))) }
      if mistake != .ignoresSchemaOfDue, mistake != .wakesLaterSchemas {
        due.removeAll { state.records[$0].map { $0.schema > schema } ?? false }
      }
      if mistake == .ignoresLimit || mistake == .ignoresNegativeLimits && limit < 0 { return due }
      return Array(due.prefix(max(limit, 0)))
    }
  }

  /// Adds the sleeping trees whose time has come.
  private func wakes(of kind: String, schema: Int, awake: [TreeKey], _ state: inout State) -> [TreeKey] {
    let now = WallTime.now
    var due = state.wakes.filter { key, time in
      guard key.kind == kind, !state.awake.contains(key) else { return false }
      guard state.records[key] != nil || mistake == .keepsWakesOfRemoved else { return false }
      guard time <= now || mistake == .wakesEarly, mistake != .ignoresWakes else { return false }
      guard !state.quarantined.contains(key) || mistake == .wakesQuarantined else { return false }
      if mistake == .wakesOnce, !state.woken.insert(key).inserted { return false }
      guard let owner = state.held[key], mistake != .wakesHeld else { return true }
      return !state.isAlive(owner) && mistake != .wakesOnlyReleased
    }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    if mistake == .wakesByKey { due.sort() }
    return mistake == .wakesBeforeAwake ? due + awake : awake + due
  }

  func note(_ starts: [TreeStart]) async throws {
    state.withLock { state in
      if mistake == .ignoresNotes { return }
      for start in mistake == .notesOnlyTheFirst ? Array(starts.prefix(1)) : starts {
        let key = stored(start.key)
        guard mistake == .notesOldFences || state.fences[key] == start.fence else { continue }
        switch start.state {
        case .begins(let starts): state.starts[key] = starts
        case .succeeded: state.starts[key] = nil
        case .quarantined:
          state.quarantined.insert(key)
          if mistake != .quarantineKeepsClaim { state.held[key] = nil }
        }
      }
    }
  }

  func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    return state.withLock { state in
      state.starts.filter {
        state.quarantined.contains($0.key) && ($0.key.kind == kind || mistake == .listsAllKinds)
      }
    }
  }

  func retry(_ key: TreeKey) async throws {
    let key = stored(key)
    state.withLock { state in
      guard mistake != .retriesNothing, state.quarantined.remove(key) != nil else { return }
      state.starts[key] = nil
      if mistake == .retryChangesVersions {
        state.records[key] = state.records[key].map {
          SavedRecord(version: $0.version + 1, schema: $0.schema, document: $0.document, isAwake: $0.isAwake)
        }
      }
    }
  }

  func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    return state.withLock { state in
      if mistake == .refusesRenewal { return false }
      if state.ended.contains(owner), mistake != .renewsEnded { return false }
      if !state.renewed.contains(owner) {
        if mistake != .forgetsPredecessors {
          let replaced = state.renewed.filter {
            $0.address == owner.address && (!$0.address.isEmpty || mistake == .killsNameless)
          }
          state.ended.formUnion(replaced)
          state.replaced.formUnion(replaced)
        }
        state.renewed.append(owner)
      }
      if duration == .zero { state.ended.insert(owner) }
      return true
    }
  }

  func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? {
    func lost(_ state: State) -> Set<TreeKey> {
      Set(
        fences.keys.filter { key in
          switch mistake {
          case .forgetsTakenTrees: state.fences[key] == nil
          case .forgetsNewFences: state.held[key] != owner
          default: state.fences[key] != fences[key]
          }
        })
    }
    let before = state.withLock { lost($0) }
    if mistake == .revivesAfterLooking { for _ in 0..<100 { await Task.yield() } }
    return state.withLock { state in
      guard state.renewed.contains(owner), mistake != .revivesNothing else { return nil }
      guard !state.replaced.contains(owner) || mistake == .revivesPredecessors else { return nil }
      if mistake != .revivesWithoutLease { state.ended.remove(owner) }
      return mistake == .revivesAfterLooking ? before : lost(state)
    }
  }
}
