// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

/// A store in files, for one process. Each tree is a file that is replaced as a whole.
///
/// ```swift
/// let store = try FileStore(directory: "/var/lib/orders")
/// let orders = TreeDirectory("order", in: store) { (id: Int) in RootBuilder(dependency: AppComponent()).build() }
/// print(orders.count)
/// ```
///
/// - **One process.** The store locks the directory until it is closed or released, because two writers would overwrite
///   each other. A second store on the directory is refused.
/// - **Durable.** `save` returns when the records survive a crash of the machine. After a crash at any point, each record is
///   either the old one or the new one. The records of one save are written in parallel, so many at once are much faster
///   than one after the other.
/// - **Cheap claims.** A claim reads a file, and creates an empty one that marks the start of the tree as unfinished. It does
///   not wait for the disk: if the empty file can't be created, the start is not counted. Memory and the time of the start
///   grow with the number of claimed trees, not with those on disk.
/// - **Cheap sleep.** Of the trees that sleep until a time, only those that wake first are in memory: at most some ten
///   thousand. The others cost an empty file each, in a folder of ten minutes of the calendar, `DIRECTORY/KIND/wakes`. Their
///   number affects neither memory nor the time of the start. The clock is the system's.
/// - **Errors are retried by the caller.** A full disk, a read-only or missing directory: `save` throws a `FileStoreError`
///   and can be repeated. While the disk is full, trees can be claimed and read.
/// - **Damage is detected.** Each file has a checksum. If it does not match, `claim` throws, and the file is unchanged.
///   Files of earlier versions have no checksum and are read without one; earlier versions ignore it.
/// - **Private.** Only the user of the process can read the files and folders that it creates (modes 0600 and 0700).
///
/// The file `DIRECTORY/KIND/awake/ID.json` or `DIRECTORY/KIND/asleep/ID.json` has a header in its first line, followed by
/// the document. If the document is JSON, so is the file: `jq . FILE` prints it. The store ignores other files in these
/// folders. To edit a file by hand, remove `checksum` from its first line. Don't delete `store.lock`: it remains when the
/// store is closed, and its existence does not mean that the store is open.
public final class FileStore: TreeStore {
  private struct State {
    var claims: FileClaims
    /// The trees that a claim or a save works on. One operation per tree, so that check and write are atomic.
    var busy: Set<TreeKey> = []
    /// Resumed when the operation on the tree has ended.
    var waiting: [TreeKey: [CheckedContinuation<Void, Never>]] = [:]
    var lock: OpenFile?
  }

  /// The path of the directory.
  public let directory: String
  private let folders: FileFolders
  private let fences: FenceCounter
  private let starts: FileStarts
  private let wakes: FileWakes
  private let wallTime: @Sendable () -> WallTime
  /// The closures on these threads don't retain the store: it is unlocked when the program releases it.
  private let threads = DiskThreads(width: 16)
  private let state: Locked<State>

  /// Opens a store, and creates the directory if it does not exist.
  ///
  /// - Parameter directory: the path of the directory.
  /// - Throws: `FileStoreError.inUse(directory:)` if the directory is open already, or the error of the system.
  /// - Complexity: linear in the number of trees that were awake when they were last saved.
  public convenience init(directory: String) throws(FileStoreError) {
    try self.init(directory: directory, system: SystemFiles())
  }

  /// - Parameter wakeCapacity: how many sleeping trees of a kind are usually in memory.
  package init(
    directory: String, system: any FileSystem, wallTime: @escaping @Sendable () -> WallTime = { WallTime.now },
    wakeCapacity: Int = 16_384
  ) throws(FileStoreError) {
    self.directory = directory
    self.wallTime = wallTime
    folders = FileFolders(FileLayout(directory: directory), system)
    starts = FileStarts(folders: folders)
    wakes = FileWakes(folders: folders)
    try folders.makeDirectory()
    guard let lock = try system.lock(folders.layout.lock) else { throw .inUse(directory: directory) }
    do throws(FileStoreError) {
      try folders.removeTemporaryFiles()
      fences = try FenceCounter(folders)
      let claims = FileClaims(awake: try folders.awake(), starts: try starts.all(), wakeCapacity: wakeCapacity)
      state = Locked(State(claims: claims, lock: lock))
    } catch {
      system.unlock(lock)
      throw error
    }
  }

  deinit { state.withLock { if let lock = $0.lock { folders.system.unlock(lock) } } }

  /// Waits for running calls, and unlocks the directory. Later calls throw.
  ///
  /// A store that is released unlocks the directory, too.
  public func close() async {
    while let key = state.withLock({ state -> TreeKey? in
      state.claims.isClosed = true
      return state.busy.first
    }) {
      await waitUntilFree(key)
    }
    let lock = state.withLock { state in
      defer { state.lock = nil }
      return state.lock
    }
    if let lock { folders.system.unlock(lock) }
  }

  /// The number of trees that take memory.
  package var claimCount: Int { state.withLock { $0.claims.count } }

  /// The number of sleeping trees that take memory.
  package var wakeCount: Int { state.withLock { $0.claims.wakeCount } }

  // MARK: Claims

  public func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try FileLayout.check(key)
    try await begin([key])
    defer { end([key]) }
    let entry = state.withLock { $0.claims.starts[key] }
    let claim = try await onDisk { [folders, fences, starts] () throws(FileStoreError) in
      let (files, current) = try folders.record(of: key)
      if let current, current.header.schema > schema { return ReadClaim.laterSchema(current.header.schema) }
      if let entry, entry.isQuarantined { return .quarantined(entry.starts) }
      let fence = try fences.next(after: current?.header.fence ?? 0)
      // Before the start. A tree without a record has nothing to be kept from.
      let isMarked = entry == nil && current != nil && (try? starts.mark(key)) != nil
      return .claimed(fence, files, current, isMarked: isMarked)
    }
    switch claim {
    case .laterSchema(let schema): return .laterSchema(schema)
    case .quarantined(let starts): return .quarantined(starts)
    case .claimed(let fence, let files, let current, let isMarked):
      // In memory is enough, because there is no other process. After a crash, a tree that was asleep and has not been
      // saved since is not due: its calls have changed nothing that was answered.
      state.withLock { state in
        state.claims.begin(
          FileClaims.Claim(
            fence: fence, version: current?.header.version ?? 0, schema: current?.header.schema ?? schema, files: files,
            wakes: current?.header.wakes),
          of: key)
        if isMarked { state.claims.starts[key] = FileStarts.Entry(starts: UnfinishedStarts(count: 1)) }
      }
      return .claimed(fence: fence, saved: current?.saved(isAwake: files.current == .awake).with(entry?.starts))
    }
  }

  private enum ReadClaim: Sendable {
    case claimed(UInt64, RecordFiles, RecordFile?, isMarked: Bool)
    case laterSchema(Int)
    case quarantined(UnfinishedStarts)
  }

  public func contains(_ key: TreeKey) async throws -> Bool {
    try FileLayout.check(key)
    try await begin([key])
    defer { end([key]) }
    return try await onDisk { [folders] () throws(FileStoreError) in try folders.header(of: key).current != nil }
  }

  // MARK: Saves

  public func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    if records.isEmpty { return [] }
    let keys = records.map(\.key)
    try await begin(keys)
    defer { end(keys) }
    let (unknown, known) = state.withLock { state in
      state.claims.beginBatch()
      return records.map { ($0, state.claims.decision(for: $0)) }.partitioned()
    }
    var fenced = known.fenced
    if !unknown.isEmpty { fenced.formUnion(try await notSaved(unknown)) }
    let jobs = known.jobs
    if jobs.isEmpty { return fenced }
    let fence = jobs.lazy.compactMap(\.writtenFence).max()
    try await onDisk { [fences] () throws(FileStoreError) in if let fence { try fences.reserve(fence) } }
    let outcomes = await FileBatch(folders: folders, threads: threads).write(jobs)
    var started: [TreeKey] = []
    let failure = state.withLock { state in
      var failure: FileStoreError?
      for (job, outcome) in zip(jobs, outcomes) {
        switch outcome {
        case .success(let written):
          state.claims.note(job.record, written)
          if state.claims.starts[job.record.key] != nil { started.append(job.record.key) }
        case .failure(let error):
          state.claims.noteFailure(of: job.record.key)
          failure = failure ?? error
        }
      }
      return failure
    }
    if !started.isEmpty { await forgetStarts(of: started) }
    if let failure { throw failure }
    return fenced
  }

  /// The keys of those records of unclaimed trees that their files don't contain, in this version or a later one.
  private func notSaved(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    let looks = await threads.map(records) { [folders] record -> Result<Bool, FileStoreError> in
      do throws(FileStoreError) {
        try FileLayout.check(record.key)
        guard let header = try folders.header(of: record.key).current else { return .success(false) }
        return .success(header.fence == record.fence && header.version >= record.version)
      } catch { return .failure(error) }
    }
    var keys: Set<TreeKey> = []
    for (record, look) in zip(records, looks) where try !look.get() { keys.insert(record.key) }
    return keys
  }

  // MARK: Starts

  public func note(_ starts: [TreeStart]) async throws {
    if starts.isEmpty { return }
    let keys = starts.map(\.key)
    try await begin(keys)
    defer { end(keys) }
    let latest = state.withLock { state in starts.filter { state.claims.isLatest($0) } }
    await forgetStarts(
      of: state.withLock { state in
        latest.filter { $0.state == .succeeded && state.claims.starts[$0.key] != nil }.map(\.key)
      })
    for start in latest {
      let known = state.withLock { $0.claims.starts[start.key] }
      let entry: FileStarts.Entry
      switch start.state {
      case .succeeded: continue
      case .begins(let all): entry = FileStarts.Entry(starts: all)
      case .quarantined:
        entry = FileStarts.Entry(starts: known?.starts ?? UnfinishedStarts(count: 1), isQuarantined: true)
      }
      try await onDisk { [starts = self.starts] () throws(FileStoreError) in try starts.write(entry, of: start.key) }
      state.withLock { state in
        if entry.isQuarantined {
          state.claims.quarantine(start.key, entry)
        } else {
          state.claims.starts[start.key] = entry
        }
      }
    }
  }

  /// Removes what is known of the starts of trees. A file that can't be removed makes its tree a suspect once more.
  private func forgetStarts(of keys: [TreeKey]) async {
    _ = await threads.map(keys) { [starts] key in (try? starts.remove(key)) != nil }
    state.withLock { state in for key in keys { state.claims.starts[key] = nil } }
  }

  public func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    state.withLock { state in
      state.claims.starts.filter { $0.key.kind == kind && $0.value.isQuarantined }.mapValues(\.starts)
    }
  }

  public func retry(_ key: TreeKey) async throws {
    try await begin([key])
    defer { end([key]) }
    guard state.withLock({ $0.claims.starts[key]?.isQuarantined }) == true else { return }
    let (isAwake, wakes) = try await onDisk { [folders, starts] () throws(FileStoreError) in
      // A record that can't be read is due, if it was: the claim throws the error.
      let found = try? folders.header(of: key)
      try starts.retry(key)
      return (found.map { $0.files.current == .awake } ?? true, found?.current?.wakes)
    }
    state.withLock { $0.claims.retry(key, isAwake: isAwake, wakes: wakes) }
  }

  // MARK: Due trees

  public func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    var due: [TreeKey] = []
    var unseen = try state.withLock { state in
      if state.claims.isClosed { throw FileStoreError.closed(directory: directory) }
      return state.claims.dueCount(of: kind)
    }
    while due.count < limit, unseen > 0 {
      let taken = state.withLock { $0.claims.takeDue(kind, min(limit - due.count, unseen)) }
      if taken.isEmpty { break }
      unseen -= taken.count
      let unread = taken.filter { $0.entry.schema == nil }
      let looks = await threads.map(unread.map { TreeKey(kind: kind, id: $0.id) }) { [folders] in
        DueLook($0, in: folders)
      }
      var schemas = Dictionary(uniqueKeysWithValues: taken.map { ($0.id, $0.entry.schema) })
      state.withLock { state in
        for (place, look) in zip(unread, looks) {
          state.claims.note(look, of: TreeKey(kind: kind, id: place.id), ticket: place.entry.ticket)
          switch look {
          case .awake(let schema): schemas[place.id] = schema
          case .notAwake: schemas[place.id] = nil
          // The claim throws the error, which names the file.
          case .unreadable: schemas[place.id] = Int.min
          }
        }
      }
      for (id, _) in taken {
        if let found = schemas[id], let found, found <= schema { due.append(TreeKey(kind: kind, id: id)) }
      }
    }
    return try await due + dueWakes(kind, limit: max(limit, 0) - due.count, schema: schema)
  }

  /// The sleeping trees whose time has come.
  private func dueWakes(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    if limit <= 0 { return [] }
    let now = wallTime()
    try await loadWakes(kind, at: now, limit: limit, schema: schema)
    // Ends because each round reads files that were not read.
    while true {
      let entries = state.withLock { $0.claims.dueWakes(of: kind, at: now, limit: max(limit, 256), schema: schema) }
      let unread = entries.filter { $0.schema == nil }
      if unread.isEmpty { return entries.prefix(limit).map { TreeKey(kind: kind, id: $0.id) } }
      let looks = await threads.map(unread) { [folders] in
        WakeLook(TreeKey(kind: kind, id: $0.id), at: $0.time, in: folders)
      }
      state.withLock { state in
        for (entry, look) in zip(unread, looks) { state.claims.note(look, of: entry, kind) }
      }
      for case (let entry, .stale) in zip(unread, looks) {
        try await correct(TreeKey(kind: kind, id: entry.id), at: entry.time)
      }
    }
  }

  /// Reads which trees wake next, if more of them may be due than those in memory.
  private func loadWakes(_ kind: String, at now: WallTime, limit: Int, schema: Int) async throws {
    let loading = state.withLock { $0.claims.beginLoadingWakes(of: kind, at: now, limit: limit, schema: schema) }
    guard let loading else { return }
    do {
      var found: [(id: String, time: WallTime)] = []
      for folder in try await onDisk({ [wakes] () throws(FileStoreError) in
        try wakes.folders(of: kind, before: loading.end)
      }) {
        guard found.count < loading.capacity else {
          return state.withLock { [found] in $0.claims.endLoadingWakes(of: kind, found, to: folder.start) }
        }
        let entries = try await onDisk { [wakes] () throws(FileStoreError) in
          try wakes.entries(in: folder, of: kind, at: now)
        }
        found += state.withLock { $0.claims.unclaimed(entries, of: kind) }
      }
      state.withLock { [found] in $0.claims.endLoadingWakes(of: kind, found, to: loading.end) }
    } catch {
      state.withLock { $0.claims.cancelLoadingWakes(of: kind) }
      throw error
    }
  }

  /// Corrects the file of a wake time that a record does not have.
  private func correct(_ key: TreeKey, at time: WallTime) async throws {
    try await begin([key])
    defer { end([key]) }
    // A record that can't be read keeps its file.
    let found = try? await onDisk { [wakes] () throws(FileStoreError) in try wakes.correct(key, at: time) }
    state.withLock { $0.claims.note(found ?? nil, of: key) }
  }

  /// Returns true: there is no other process, so there are no leases.
  public func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool { true }

  /// False: only one process at a time can open the directory.
  public var isShared: Bool { false }

  // MARK: Order

  /// Calls a closure on a thread of the disk, if the directory is still that of this store.
  private func onDisk<Value: Sendable>(
    _ body: @escaping @Sendable () throws(FileStoreError) -> Value
  ) async throws(FileStoreError) -> Value {
    let lock = state.withLock(\.lock)
    return try await threads.run { [folders, directory] () -> Result<Value, FileStoreError> in
      do throws(FileStoreError) {
        guard let lock, folders.system.isInPlace(lock) else { throw FileStoreError.lockLost(directory: directory) }
        return .success(try body())
      } catch { return .failure(error) }
    }.get()
  }

  /// Returns when no other call works on any of the trees.
  private func begin(_ keys: [TreeKey]) async throws(FileStoreError) {
    while true {
      let busy: Result<TreeKey?, FileStoreError> = state.withLock { state in
        if state.claims.isClosed { return .failure(.closed(directory: directory)) }
        if let key = keys.first(where: state.busy.contains) { return .success(key) }
        state.busy.formUnion(keys)
        return .success(nil)
      }
      guard let key = try busy.get() else { return }
      await waitUntilFree(key)
    }
  }

  private func end(_ keys: [TreeKey]) {
    let waiting = state.withLock { state in
      state.busy.subtract(keys)
      return keys.compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for continuation in waiting.joined() { continuation.resume() }
  }

  private func waitUntilFree(_ key: TreeKey) async {
    await withCheckedContinuation { continuation in
      let isBusy = state.withLock { state in
        guard state.busy.contains(key) else { return false }
        state.waiting[key, default: []].append(continuation)
        return true
      }
      if !isBusy { continuation.resume() }
    }
  }
}

extension [(TreeRecord, FileClaims.Decision)] {
  /// The records whose files decide; the keys of those that are fenced, and what is to be written.
  fileprivate func partitioned() -> (unknown: [TreeRecord], known: (fenced: Set<TreeKey>, jobs: [FileBatch.Job])) {
    var (unknown, fenced, jobs): ([TreeRecord], Set<TreeKey>, [FileBatch.Job]) = ([], [], [])
    for (record, decision) in self {
      switch decision {
      case .saved: break
      case .fenced: fenced.insert(record.key)
      case .write(let claim):
        jobs.append(
          FileBatch.Job(record: record, found: claim.files.map { FileBatch.Written(files: $0, wakes: claim.wakes) }))
      case .askFile: unknown.append(record)
      }
    }
    return (unknown, (fenced, jobs))
  }
}
