// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The claimed trees of a `FileStore`, and those that are due. Other trees take no memory.
struct FileClaims {
  /// The latest claim of a tree.
  struct Claim {
    let fence: UInt64
    /// The version of the record.
    var version: UInt64
    /// Whether the version was saved with this claim.
    var isSaved = false
    /// The schema of the record.
    var schema: Int
    /// Where the record is; nil if a write failed, so that it must be looked up.
    var files: RecordFiles?
    /// When the tree wakes, as the record says; meaningful if `files` is not nil.
    var wakes: WallTime?
  }

  /// What is to be done with a record.
  enum Decision {
    /// It counts as saved: this version or a later one was written.
    case saved
    /// It is refused: another claim has a larger fence.
    case fenced
    /// It is written to the place that the claim names.
    case write(Claim)
    /// The tree is not claimed, and was not released recently: its file is read to decide.
    case askFile
  }

  var isClosed = false
  private var claims: [TreeKey: Claim] = [:]
  /// Claims that were released recently. The caller may repeat the last save, if it does not know that it succeeded.
  private var released: [TreeKey: Claim] = [:]
  private var releasedBefore: [TreeKey: Claim] = [:]
  private var due: [String: DueQueue]
  private var wakes: [String: WakeQueue] = [:]
  private let wakeCapacity: Int
  /// The trees whose start is not known to have succeeded, and those in quarantine.
  var starts: [TreeKey: FileStarts.Entry]

  /// The number of released claims that are kept at least. A larger batch is kept whole.
  private static let keptReleases = 4_096

  init(awake: [String: [String]], starts: [TreeKey: FileStarts.Entry], wakeCapacity: Int) {
    self.starts = starts
    self.wakeCapacity = wakeCapacity
    due = awake.mapValues { DueQueue($0) }
    for (key, entry) in starts where entry.isQuarantined { due[key.kind]?.remove(key.id) }
  }

  /// The number of trees whose claims are in memory.
  var count: Int { claims.count + released.count + releasedBefore.count }

  mutating func begin(_ claim: Claim, of key: TreeKey) {
    claims[key] = claim
    released[key] = nil
    releasedBefore[key] = nil
    due[key.kind]?.remove(key.id)
    wakes[key.kind]?.remove(key.id)
  }

  // MARK: Saves

  func decision(for record: TreeRecord) -> Decision {
    guard let claim = claims[record.key] ?? released[record.key] ?? releasedBefore[record.key] else { return .askFile }
    if claim.fence != record.fence { return .fenced }
    if record.version < claim.version || claim.isSaved && record.version == claim.version { return .saved }
    return .write(claim)
  }

  /// Discards the oldest releases, if there are many.
  mutating func beginBatch() {
    guard released.count >= FileClaims.keptReleases else { return }
    (releasedBefore, released) = (released, [:])
  }

  /// Notes that a record was written.
  mutating func note(_ record: TreeRecord, _ written: FileBatch.Written) {
    let key = record.key
    update(key) { claim in
      claim.version = record.version
      claim.isSaved = true
      claim.files = written.files
      claim.wakes = written.wakes
      if case .document = record.content { claim.schema = record.schema }
    }
    if record.isReleased, let claim = claims.removeValue(forKey: key) { released[key] = claim }
    if claims[key] == nil, let claim = released[key] ?? releasedBefore[key] {
      due[key.kind]?.remove(key.id)
      wakes[key.kind]?.remove(key.id)
      switch (written.files.current, written.wakes) {
      case (.awake, _): due[key.kind, default: DueQueue()].add(key.id, schema: claim.schema)
      case (.asleep, let time?): addWake(key, at: time, schema: claim.schema)
      default: break
      }
    }
  }

  /// Notes that a write failed.
  mutating func noteFailure(of key: TreeKey) { update(key) { $0.files = nil } }

  private mutating func update(_ key: TreeKey, _ change: (inout Claim) -> Void) {
    if claims[key] != nil {
      change(&claims[key, default: FileClaims.none])
    } else if released[key] != nil {
      change(&released[key, default: FileClaims.none])
    } else if releasedBefore[key] != nil {
      change(&releasedBefore[key, default: FileClaims.none])
    }
  }

  private static let none = Claim(fence: 0, version: 0, schema: 0)

  // MARK: Starts

  /// Whether a note has the fence of the latest claim.
  func isLatest(_ start: TreeStart) -> Bool { claims[start.key]?.fence == start.fence }

  /// Quarantines a tree, and ends its claim.
  mutating func quarantine(_ key: TreeKey, _ entry: FileStarts.Entry) {
    starts[key] = entry
    claims[key] = nil
  }

  /// Ends the quarantine of a tree. It is due if it is awake, or when its time has come.
  mutating func retry(_ key: TreeKey, isAwake: Bool, wakes: WallTime?) {
    starts[key] = nil
    if isAwake { return due[key.kind, default: DueQueue()].add(key.id, schema: nil) }
    if let wakes { addWake(key, at: wakes, schema: nil) }
  }

  // MARK: Due trees

  func dueCount(of kind: String) -> Int { due[kind]?.count ?? 0 }

  mutating func takeDue(_ kind: String, _ limit: Int) -> [(id: String, entry: DueQueue.Entry)] {
    due[kind]?.take(limit) ?? []
  }

  /// Notes what the file of a due tree says.
  mutating func note(_ look: DueLook, of key: TreeKey, ticket: UInt64) {
    switch look {
    case .awake(let schema): due[key.kind]?.note(schema, of: key.id, ticket: ticket)
    case .notAwake: due[key.kind]?.remove(key.id, ticket: ticket)
    case .unreadable: break
    }
  }
}

extension FileClaims {
  // MARK: Trees that wake

  /// The number of sleeping trees that take memory.
  var wakeCount: Int { wakes.values.reduce(0) { $0 + $1.count } }

  private mutating func addWake(_ key: TreeKey, at time: WallTime, schema: Int?) {
    wakes[key.kind]?.add(key.id, at: FileLayout.wakeTime(time), schema: schema)
  }

  mutating func dueWakes(of kind: String, at now: WallTime, limit: Int, schema: Int) -> [WakeQueue.Entry] {
    wakes[kind, default: WakeQueue(capacity: wakeCapacity)].due(at: now, limit: limit, schema: schema)
  }

  mutating func beginLoadingWakes(of kind: String, at now: WallTime, limit: Int, schema: Int) -> WakeQueue.Loading? {
    wakes[kind, default: WakeQueue(capacity: wakeCapacity)].beginLoading(at: now, limit: limit, schema: schema)
  }

  /// Removes those that are claimed or quarantined: they are added again when that ends.
  func unclaimed(_ found: [(id: String, time: WallTime)], of kind: String) -> [(id: String, time: WallTime)] {
    found.filter { entry in
      let key = TreeKey(kind: kind, id: entry.id)
      return claims[key] == nil && starts[key]?.isQuarantined != true
    }
  }

  mutating func endLoadingWakes(of kind: String, _ found: [(id: String, time: WallTime)], to end: WallTime) {
    let found = unclaimed(found, of: kind)
    wakes[kind]?.endLoading(found, to: end)
  }

  mutating func cancelLoadingWakes(of kind: String) { wakes[kind]?.cancelLoading() }

  /// Notes what the file of a tree says whose time has come.
  mutating func note(_ look: WakeLook, of entry: WakeQueue.Entry, _ kind: String) {
    switch look {
    case .due(let schema): wakes[kind]?.note(schema, of: entry.id, at: entry.time)
    case .unreadable: wakes[kind]?.note(.min, of: entry.id, at: entry.time)
    case .stale: wakes[kind]?.remove(entry.id, at: entry.time)
    }
  }

  /// Notes what was found when the file of a wake time was corrected.
  mutating func note(_ found: (time: WallTime, schema: Int)?, of key: TreeKey) {
    guard let found, claims[key] == nil, starts[key]?.isQuarantined != true else { return }
    addWake(key, at: found.time, schema: found.schema)
  }
}

/// The result of reading the header of a tree that is due.
enum DueLook: Sendable {
  case awake(schema: Int)
  /// The file is gone, or is the outdated one of a move that a crash interrupted.
  case notAwake
  /// The header can't be read: the next `claim` throws the error.
  case unreadable

  init(_ key: TreeKey, in folders: FileFolders) {
    do throws(FileStoreError) {
      let (files, header) = try folders.header(of: key)
      self = if let header, files.current == .awake { .awake(schema: header.schema) } else { .notAwake }
    } catch { self = .unreadable }
  }
}
