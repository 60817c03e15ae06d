// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
import Foundation
internal import RIBs
internal import RIBsStore

/// The connection to a database, used by one thread at a time.
final class SQLiteDatabase {
  let connection: OpaquePointer
  private let path: String
  private var statements: [String: OpaquePointer] = [:]
  private let locks: OwnerLocks?

  init(path: String, busyTimeout: Duration) throws {
    // Only the user of the process can read the states. SQLite gives its other files the same mode.
    let created = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if created >= 0 { close(created) }
    locks = OwnerLocks(path: path + "-owners")
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw SQLiteError(path: path, code: code, message: String(cString: sqlite3_errstr(code))) }
    (connection, self.path) = (opened, path)
    guard code == SQLITE_OK else { throw error(code) }
    sqlite3_extended_result_codes(connection, 1)
    let timeout = min(max(busyTimeout, .zero), .milliseconds(Int32.max))
    sqlite3_busy_timeout(connection, Int32(timeout / .milliseconds(1)))
    guard try journalMode(settingWithin: timeout) == "wal" else {
      throw SQLiteError(path: path, code: SQLITE_PROTOCOL, message: "WAL is not possible on this file system")
    }
    try run("PRAGMA synchronous = FULL")
    try transaction { try migrate() }
  }

  /// Turns the write-ahead log on.
  ///
  /// SQLite does not wait for other connections here, such as those of processes that open a new database at the same time.
  private func journalMode(settingWithin timeout: Duration) throws -> String? {
    let end = ContinuousClock.now + timeout
    while true {
      do { return try rows("PRAGMA journal_mode = WAL", read: { $0.text(0) }).first } catch let error as SQLiteError {
        guard error.isBusy, ContinuousClock.now < end else { throw error }
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(connection)
  }

  // MARK: The schema

  /// Each entry changes the schema that the one before has made. Add entries, and never change one that has run.
  private static let migrations = [
    """
    CREATE TABLE ribs_owner (id TEXT PRIMARY KEY NOT NULL, address TEXT NOT NULL, expires_at REAL) WITHOUT ROWID;
    CREATE TABLE ribs_tree (
      kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT, fence INTEGER NOT NULL DEFAULT 1,
      version INTEGER NOT NULL DEFAULT 0, schema INTEGER NOT NULL DEFAULT 0, is_awake INTEGER NOT NULL DEFAULT 0,
      document BLOB, PRIMARY KEY (kind, id));
    CREATE INDEX ribs_tree_awake ON ribs_tree (kind, id) WHERE is_awake;
    """,
    """
    ALTER TABLE ribs_tree ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE ribs_tree ADD COLUMN last_start TEXT NOT NULL DEFAULT '';
    ALTER TABLE ribs_tree ADD COLUMN is_quarantined INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX ribs_tree_quarantined ON ribs_tree (kind, id) WHERE is_quarantined;
    """,
    // How long the last renewal was, and the number of the file in which the owner has a lock. Both are NULL for owners of
    // programs of before.
    """
    ALTER TABLE ribs_owner ADD COLUMN lease REAL;
    ALTER TABLE ribs_owner ADD COLUMN lock_file INTEGER;
    """,
    // When a tree wakes, in microseconds since 1970; NULL for never, and for trees of programs of before.
    """
    ALTER TABLE ribs_tree ADD COLUMN wakes_at INTEGER;
    CREATE INDEX ribs_tree_wakes ON ribs_tree (kind, wakes_at) WHERE wakes_at IS NOT NULL AND NOT is_awake;
    """,
    // By owner, so that `due` reads no tree of a living one.
    """
    DROP INDEX ribs_tree_awake;
    DROP INDEX ribs_tree_wakes;
    CREATE INDEX ribs_tree_awake ON ribs_tree (kind, owner, id) WHERE is_awake;
    CREATE INDEX ribs_tree_wakes ON ribs_tree (kind, owner, wakes_at) WHERE wakes_at IS NOT NULL AND NOT is_awake;
    """,
  ]

  private func migrate() throws {
    let version = try rows("PRAGMA user_version", read: { Int($0.integer(0)) }).first ?? 0
    for (index, migration) in SQLiteDatabase.migrations.enumerated().dropFirst(version) {
      try check(sqlite3_exec(connection, migration + "PRAGMA user_version = \(index + 1)", nil, nil, nil))
    }
  }

  // MARK: The contract of TreeStore, each function in a transaction

  /// The wall clock in milliseconds. SQLite reads it once for each statement.
  private static let now = "(julianday('now') - 2440587.5) * 86400000"

  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) throws -> TreeClaim {
    try meet(owner)
    let row = try rows(
      """
      SELECT version, schema, document, o.address, is_awake, starts, last_start, is_quarantined, o.id, o.lock_file, wakes_at
        FROM ribs_tree t LEFT JOIN ribs_owner o ON o.id = t.owner AND o.id <> ?3 AND o.expires_at > \(SQLiteDatabase.now)
       WHERE t.kind = ?1 AND t.id = ?2
      """, .text(key.kind), .text(key.id), .text(owner.id)
    ) { row in
      let starts = UnfinishedStarts(count: Int(row.integer(5)), last: row.text(6))
      let record = row.bytes(2).map {
        SavedRecord(
          version: UInt64(row.integer(0)), schema: Int(row.integer(1)), document: $0, isAwake: row.integer(4) != 0,
          wakes: row.isNull(10) ? nil : WallTime(microsecondsSince1970: row.integer(10)),
          unfinishedStarts: starts.count > 0 ? starts : nil)
      }
      let quarantine = row.integer(7) != 0 ? starts : nil
      let holder = row.isNull(3) ? nil : (address: row.text(3), id: row.text(8), lockFile: row.integer(9))
      return (saved: record, holder: holder, quarantine: quarantine)
    }.first
    if let holder = row?.holder {
      // Its process may have ended since the last renewal.
      guard isDead(holder.id, lockFile: holder.lockFile) else { return .elsewhere(address: holder.address) }
      try endLease(of: holder.id)
    }
    if let saved = row?.saved, saved.schema > schema { return .laterSchema(saved.schema) }
    if let quarantine = row?.quarantine { return .quarantined(quarantine) }
    // The versions of a new tree count from the start, also if another one with its key was removed.
    let fence = try rows(
      """
      INSERT INTO ribs_tree AS t (kind, id, owner, starts) VALUES (?1, ?2, ?3, 1) ON CONFLICT (kind, id) DO UPDATE SET
        owner = ?3, fence = t.fence + 1, version = CASE WHEN t.document IS NULL THEN 0 ELSE t.version END,
        starts = max(t.starts, 1)
      RETURNING fence
      """, .text(key.kind), .text(key.id), .text(owner.id)
    ) { UInt64($0.integer(0)) }
    return .claimed(fence: fence[0], saved: row?.saved)
  }

  /// - Returns: false if the record was refused because of its fence.
  func save(_ record: TreeRecord) throws -> Bool {
    let (assignment, document): (String, SQLiteValue) =
      switch record.content {
      case .document(let bytes): ("schema = ?5, is_awake = ?6, document = ?7, wakes_at = ?8", .bytes(bytes))
      case .unchanged:
        ("is_awake = ?6 AND document IS NOT NULL, wakes_at = CASE WHEN document IS NOT NULL THEN ?8 END", .null)
      case .removed: ("is_awake = 0, document = NULL, wakes_at = NULL", .null)
      }
    try run(
      """
      UPDATE ribs_tree SET version = ?4, owner = CASE WHEN ?9 THEN NULL ELSE owner END, starts = 0, last_start = '',
        \(assignment)
       WHERE kind = ?1 AND id = ?2 AND fence = ?3 AND version <= ?4
      """, .text(record.key.kind), .text(record.key.id), .integer(Int64(record.fence)), .integer(Int64(record.version)),
      .integer(Int64(record.schema)), .integer(record.isAwake ? 1 : 0), document,
      record.wakes.map { .integer($0.microsecondsSince1970) } ?? .null, .integer(record.isReleased ? 1 : 0))
    if sqlite3_changes(connection) > 0 { return true }
    // A record with a lower version than the stored one counts as saved.
    return try !rows(
      "SELECT 1 FROM ribs_tree WHERE kind = ?1 AND id = ?2 AND fence = ?3",
      .text(record.key.kind), .text(record.key.id), .integer(Int64(record.fence)), read: { _ in }
    ).isEmpty
  }

  func due(_ kind: String, limit: Int, schema: Int) throws -> [TreeKey] {
    let limit = max(limit, 0)
    var found = try due(kind, "is_awake", ofOwners: "is_awake", limit: limit, schema: schema)
    if found.count < limit {
      // The clock of the machine, to the microsecond, which SQLite's has not.
      let now = SQLiteValue.integer(WallTime.now.microsecondsSince1970)
      let woken = try due(
        kind, "NOT is_awake AND wakes_at <= ?5 ORDER BY wakes_at", [now],
        ofOwners: "NOT is_awake AND wakes_at IS NOT NULL",
        limit: limit, schema: schema)
      found += woken.sorted { $0.wakes < $1.wakes }
    }
    return found.prefix(limit).map { TreeKey(kind: kind, id: $0.id) }
  }

  /// Finds trees without a living owner that fulfill a condition, of each owner at most as many as the limit.
  ///
  /// - Parameter ownerCondition: that of the index in which the owners are found.
  private func due(
    _ kind: String, _ condition: String, _ values: [SQLiteValue] = [], ofOwners ownerCondition: String, limit: Int,
    schema: Int
  ) throws -> [(id: String, wakes: Int64)] {
    try deadOwners(kind, ownerCondition).flatMap { owner in
      try rows(
        """
        SELECT id, wakes_at FROM ribs_tree
         WHERE kind = ?1 AND owner IS ?2 AND NOT is_quarantined AND schema <= ?3 AND \(condition) LIMIT ?4
        """, [.text(kind), owner, .integer(Int64(schema)), .integer(Int64(limit))] + values
      ) { (id: $0.text(0), wakes: $0.integer(1)) }
    }
  }

  /// The owners of trees that fulfill a condition whose leases have ended, and at last NULL, for the trees without an owner.
  ///
  /// It steps from owner to owner through an index, so it does not read the trees of living owners.
  private func deadOwners(_ kind: String, _ condition: String) throws -> [SQLiteValue] {
    try rows(
      """
      WITH RECURSIVE owners (id) AS (
        VALUES ('') UNION ALL
        SELECT (SELECT owner FROM ribs_tree WHERE kind = ?1 AND \(condition) AND owner > o.id ORDER BY owner LIMIT 1)
          FROM owners o WHERE o.id IS NOT NULL)
      SELECT id FROM owners o WHERE id IS NOT '' AND NOT EXISTS (
        SELECT 1 FROM ribs_owner l WHERE l.id = o.id AND l.expires_at > \(SQLiteDatabase.now))
      """, .text(kind)
    ) { $0.isNull(0) ? .null : .text($0.text(0)) }
  }

  func contains(_ key: TreeKey) throws -> Bool {
    try !rows(
      "SELECT 1 FROM ribs_tree WHERE kind = ?1 AND id = ?2 AND document IS NOT NULL", .text(key.kind), .text(key.id),
      read: { _ in }
    ).isEmpty
  }

  func note(_ start: TreeStart) throws {
    let (assignment, values): (String, [SQLiteValue]) =
      switch start.state {
      case .begins(let starts): ("starts = ?4, last_start = ?5", [.integer(Int64(starts.count)), .text(starts.last)])
      case .succeeded: ("starts = 0, last_start = ''", [])
      case .quarantined: ("is_quarantined = 1, owner = NULL", [])
      }
    _ = try rows(
      "UPDATE ribs_tree SET \(assignment) WHERE kind = ?1 AND id = ?2 AND fence = ?3",
      [.text(start.key.kind), .text(start.key.id), .integer(Int64(start.fence))] + values
    ) { _ in }
  }

  func quarantined(_ kind: String) throws -> [TreeKey: UnfinishedStarts] {
    let found = try rows(
      "SELECT id, starts, last_start FROM ribs_tree WHERE kind = ?1 AND is_quarantined", .text(kind)
    ) { row in
      (TreeKey(kind: kind, id: row.text(0)), UnfinishedStarts(count: Int(row.integer(1)), last: row.text(2)))
    }
    return Dictionary(uniqueKeysWithValues: found)
  }

  func retry(_ key: TreeKey) throws {
    try run(
      """
      UPDATE ribs_tree SET is_quarantined = 0, starts = 0, last_start = ''
       WHERE kind = ?1 AND id = ?2 AND is_quarantined
      """, .text(key.kind), .text(key.id))
  }

  func renew(_ owner: TreeOwner, for duration: Duration) throws -> Bool {
    if try !meet(owner) { try endDeadLeases() }
    try run(
      """
      UPDATE ribs_owner SET expires_at = \(SQLiteDatabase.now) + ?2, lease = ?2
       WHERE id = ?1 AND (expires_at IS NULL OR expires_at > \(SQLiteDatabase.now))
      """, .text(owner.id), .real(duration / .milliseconds(1)))
    return sqlite3_changes(connection) > 0
  }

  /// - Returns: nil if a later owner has the address, or the process has ended.
  func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) throws -> Set<TreeKey>? {
    try run(
      """
      UPDATE ribs_owner SET expires_at = \(SQLiteDatabase.now) + ?2, lease = ?2
       WHERE id = ?1 AND coalesce(expires_at, 1) > 0
      """, .text(owner.id), .real(duration / .milliseconds(1)))
    if sqlite3_changes(connection) == 0 { return nil }
    let taken = try fences.filter { key, fence in
      try rows(
        "SELECT 1 FROM ribs_tree WHERE kind = ?1 AND id = ?2 AND fence = ?3", .text(key.kind), .text(key.id),
        .integer(Int64(fence)), read: { _ in }
      ).isEmpty
    }
    return Set(taken.keys)
  }

  /// Records an owner that is new, and ends the lease of the one that had its address before and of those that are dead.
  ///
  /// - Returns: whether it is new.
  @discardableResult
  private func meet(_ owner: TreeOwner) throws -> Bool {
    let lockFile = locks.flatMap { $0.hold(owner.id) ? $0.fileNumber : nil }
    try run(
      "INSERT INTO ribs_owner (id, address, lock_file) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", .text(owner.id),
      .text(owner.address), lockFile.map { .integer($0) } ?? .null)
    guard sqlite3_changes(connection) > 0 else { return false }
    if !owner.address.isEmpty {
      try run(
        "UPDATE ribs_owner SET expires_at = 0 WHERE address = ?2 AND id <> ?1", .text(owner.id), .text(owner.address))
    }
    try endDeadLeases()
    return true
  }

  /// Ends the leases of owners whose processes have ended, and shortens those that were renewed before the clock was set
  /// back.
  private func endDeadLeases() throws {
    if let locks {
      let owners = try rows(
        "SELECT id FROM ribs_owner WHERE lock_file = ?1 AND expires_at > \(SQLiteDatabase.now)",
        .integer(locks.fileNumber)
      ) { $0.text(0) }
      for id in owners where isDead(id, lockFile: locks.fileNumber) { try endLease(of: id) }
    }
    // No lease ends later than its duration from now, unless the clock was ahead when it was renewed.
    try run(
      """
      UPDATE ribs_owner SET expires_at = \(SQLiteDatabase.now) + lease WHERE expires_at > \(SQLiteDatabase.now) + lease
      """)
  }

  /// Whether the process of an owner has ended that has recorded a lock in a file.
  ///
  /// - Parameter lockFile: the number of the file; zero if the owner has no lock.
  private func isDead(_ id: String, lockFile: Int64) -> Bool {
    locks.map { $0.fileNumber == lockFile && !$0.isHeld(id) } ?? false
  }

  /// The row stays: an owner without one would be taken for a new one, and renewed.
  private func endLease(of id: String) throws {
    try run("UPDATE ribs_owner SET expires_at = 0 WHERE id = ?1", .text(id))
  }

  // MARK: Statements

  /// Runs a closure in a transaction that has the write lock from its begin.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // SQLite has ended the transaction by itself after some errors, such as a full disk.
      if sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func run(_ sql: String, _ values: SQLiteValue...) throws { _ = try rows(sql, values) { _ in } }

  private func rows<Result>(
    _ sql: String, _ values: SQLiteValue..., read: (SQLiteRow) -> Result
  ) throws -> [Result] {
    try rows(sql, values, read)
  }

  private func rows<Result>(
    _ sql: String, _ values: [SQLiteValue], _ read: (SQLiteRow) -> Result
  ) throws -> [Result] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() { try bind(value, to: Int32(index + 1), of: statement) }
    var results: [Result] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: results.append(read(SQLiteRow(statement: statement)))
      case SQLITE_DONE: return results
      case let code: throw error(code)
      }
    }
  }

  private func prepared(_ sql: String) throws -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: SQLiteValue, to index: Int32, of statement: OpaquePointer) throws {
    switch value {
    case .null: try check(sqlite3_bind_null(statement, index))
    case .integer(let value): try check(sqlite3_bind_int64(statement, index, value))
    case .real(let value): try check(sqlite3_bind_double(statement, index, value))
    case .text(let text):
      try check(sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), sqlite_transient()))
    // An empty array may have no address, and SQLite takes that for NULL.
    case .bytes([]): try check(sqlite3_bind_zeroblob(statement, index, 0))
    case .bytes(let bytes):
      try check(sqlite3_bind_blob64(statement, index, bytes, UInt64(bytes.count), sqlite_transient()))
    }
  }

  private func check(_ code: Int32) throws { if code != SQLITE_OK { throw error(code) } }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(path: path, code: code, message: String(cString: sqlite3_errmsg(connection)))
  }
}

/// A value of a parameter.
enum SQLiteValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
}

/// A row of a result, while its statement stands on it.
struct SQLiteRow {
  let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func text(_ column: Int32) -> String { String(decoding: bytes(column) ?? [], as: UTF8.self) }

  func bytes(_ column: Int32) -> [UInt8]? {
    if isNull(column) { return nil }
    // The bytes before their number: SQLite may convert a text for the first call.
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}
