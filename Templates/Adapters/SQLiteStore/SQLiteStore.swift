// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Keeps the trees of a TreeDirectory in an SQLite database: a template, yours to change.
//
// With the folder CSQLite beside it, in Package.swift:
//
//   .systemLibrary(
//     name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
//   .target(
//     name: "SQLiteStore", dependencies: [
//       "CSQLite", .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsStore", package: "swift-ribs"),
//     ]),

public import RIBsStore

/// A store in an SQLite database, for the processes of one machine.
///
/// ```swift
/// let orders = TreeDirectory("order", in: try await SQLiteStore(path: "orders.sqlite")) { (id: Int) in … }
/// ```
///
/// **Durability.** The database is in WAL mode with `synchronous=FULL`: each commit is on the disk when it is answered.
///
/// **Group commit.** The calls that arrive during a commit share the next one. A disk commits some hundred times a
/// second, so this is what makes many trees fast.
///
/// **Threads.** SQLite waits for the disk. A thread of Dispatch does that, and no thread of Swift's tasks.
///
/// **Several processes** may use one database, but only on a local disk: WAL needs shared memory. Each transaction takes
/// the write lock of the database when it begins, so a claim and a save never overlap. A process waits for the others for
/// at most `busyTimeout`. Then all calls that wait fail together, and renewals of leases are handled before other calls.
///
/// **Leases** are measured by the wall clock of the machine, which all its processes share. If it is set forward, a lease
/// ends early: another process takes the trees, and the fence refuses the saves of the one before. If it is set back,
/// each renewal shortens the other leases to what they were renewed for, so that the trees of a dead process are free one
/// lease after it.
///
/// **Trees that sleep until a time** are found by an index of their times, and wake by the same clock. If it is set back, they
/// wake later.
///
/// **Restarts** don't wait for the lease of the process before. Each owner locks a byte of the file `PATH-owners` until its
/// store is closed or its process ends, however it ends. An owner that is new, each renewal, and each claim of a tree of such
/// an owner ends the leases of owners whose lock is gone. A process that is suspended keeps its lock, so only its lease
/// ends. Don't remove the file while processes run: they would wait for each other's leases. Owners of versions without
/// these locks are judged by their leases alone.
public final class SQLiteStore: TreeStore {
  let thread: DatabaseThread
  private let commits: GroupCommit<DatabaseThread.Call, @Sendable () -> Void>

  /// Opens a database, which is created if it doesn't exist.
  ///
  /// - Parameters:
  ///   - path: the file. SQLite creates two more beside it, which end in `-wal` and `-shm`, and the store one that ends in
  ///     `-owners`. Only the user of the process can read files that are created.
  ///   - busyTimeout: how long a call waits for other processes before it fails, at most 24 days.
  /// - Throws: a `SQLiteError` if the database can't be opened.
  public init(path: String, busyTimeout: Duration = .seconds(5)) async throws {
    let thread = DatabaseThread(path: path)
    self.thread = thread
    commits = GroupCommit(
      limit: 256,
      // While another process has the lock, each call would wait as long for it.
      cause: { ($0 as? SQLiteError)?.isBusy == true ? .allEntries : .oneEntry },
      commit: { calls, answer in thread.run(calls, answer) })
    try await withCheckedThrowingContinuation { continuation in
      thread.open(busyTimeout: busyTimeout) { continuation.resume(with: $0) }
    }
  }

  deinit { commits.close(throwing: SQLiteError.closed(thread.path)) { [thread] in thread.close {} } }

  /// Closes the database, when the calls that were made before are answered. Later calls fail.
  ///
  /// Close it after the directories on it have shut down: the trees that they hold are free for other owners from now on.
  public func close() async {
    await withCheckedContinuation { continuation in
      commits.close(throwing: SQLiteError.closed(thread.path)) { [thread] in thread.close { continuation.resume() } }
    }
  }

  // MARK: The contract of TreeStore

  public func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try await perform { try $0.claim(key, by: owner, schema: schema) }
  }

  public func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    // A large document would take the others of a transaction along when it fails, and hold them up while it is written.
    let size = records.reduce(0) { size, record in
      if case .document(let document) = record.content { size + document.count } else { size }
    }
    return try await perform(size > 1 << 20 ? .alone : .shared) { database in
      Set(try records.filter { try !database.save($0) }.map(\.key))
    }
  }

  public func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    try await perform { try $0.due(kind, limit: limit, schema: schema) }
  }

  public func contains(_ key: TreeKey) async throws -> Bool { try await perform { try $0.contains(key) } }

  public func note(_ starts: [TreeStart]) async throws {
    if starts.isEmpty { return }
    try await perform { database in for start in starts { try database.note(start) } }
  }

  public func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    try await perform { try $0.quarantined(kind) }
  }

  public func retry(_ key: TreeKey) async throws { try await perform { try $0.retry(key) } }

  public func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    try await perform(.first) { try $0.renew(owner, for: duration) }
  }

  public func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? {
    try await perform(.first) { try $0.revive(owner, for: duration, holding: fences) }
  }

  /// Runs a closure in a transaction, which other calls may share, and returns when it is committed.
  private func perform<Value: Sendable>(
    _ order: GroupCommit<DatabaseThread.Call, @Sendable () -> Void>.Order = .shared,
    _ body: @escaping @Sendable (SQLiteDatabase) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let call: DatabaseThread.Call = { database in
        let value = try body(database)
        return { continuation.resume(returning: value) }
      }
      commits.append(call, order: order) { result in
        do { try result.get()() } catch { continuation.resume(throwing: error) }
      }
    }
  }
}
