// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Keeps the trees of a TreeDirectory in a PostgreSQL database: a template, yours to change.
//
// With the folder CPostgreSQL beside it, in Package.swift:
//
//   .systemLibrary(
//     name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
//   .target(
//     name: "PostgreSQLStore", dependencies: [
//       "CPostgreSQL", .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsStore", package: "swift-ribs"),
//     ]),

import Foundation
public import RIBsStore
import Synchronization

/// A store in a PostgreSQL database, for any number of processes on any number of machines.
///
/// ```swift
/// let store = try await PostgreSQLStore("postgres://app@db.internal/trees")
/// let orders = TreeDirectory("order", in: store) { (id: Int) in … }
/// ```
///
/// ## Why there are never two writers
///
/// Each claim raises the fence of its row, to the time in microseconds or by one, and each save names the fence of its
/// claim. Both lock the row, so one of them waits for the other. PostgreSQL (READ COMMITTED) then evaluates the `WHERE` of
/// the waiting statement again, on the new row. If the claim commits first, the fence of the save matches nothing. If the
/// save commits first, the claim returns what it wrote. No clock is part of this: the time only keeps a fence from being
/// given out twice by a database that has lost its last transactions, after a failover without synchronous replication or
/// from a backup.
///
/// Clocks decide only *when* a claim may take a tree from another owner, and only the clock of the database is read. A
/// lease that ends too early costs a handover, and never a save. If that clock is set forward, or the database fails over
/// to a server whose clock is ahead, the old owner may answer reads from its tree until its own clock ends the lease. If
/// it is set back, each renewal shortens the other leases to what they were renewed for, so that the trees of a dead process
/// are free one lease after it. Synchronize the clocks of database servers (NTP), and never set them by hand.
///
/// ## What stays in the database
///
/// The rows of removed trees and of ended processes go away after a day, if the user may delete them: once a minute, each
/// process looks through some pages of the table. The last removed trees of programs of before stay.
///
/// ## Space, and transactions that stay open
///
/// PostgreSQL keeps each version of each row while any transaction of the database is open, such as a backup or a session
/// that someone has forgotten. So that saves stay fast meanwhile, nine tenths of each page are left to further versions of
/// its rows. A tree that sleeps takes up to a page for that: 1.4 kB with 200 bytes of state, 8 kB with 1 kB, 12 kB with 4 kB.
/// If disks matter more to you than saves beside such a transaction, `ALTER TABLE ribs_tree SET (fillfactor = 60)`, which
/// takes 0.7, 2.6 and 11 kB; the store does not change it again. Set `idle_in_transaction_session_timeout` in either case:
/// what is kept also takes space.
///
/// ## What the database must be
///
/// - `synchronous_commit` must be `on` or `remote_apply`; the store turns it on if it is `off` or `local`. With a replica
///   that may take over, replication must be synchronous: otherwise a failover forgets answered saves.
/// - A connection has prepared statements and settings. Behind PgBouncer, use its session mode. In another mode the calls
///   throw an error that says so, sooner or later.
///
/// ## A database that fails over
///
/// The connection string may name several hosts, `postgres://app@a,b,c/trees`. The store connects to the one that can be
/// written (`target_session_attrs=read-write`, unless the string has another value), and connects again when a server
/// says that it is read-only. Connecting takes at most the timeout for all hosts together; `connect_timeout` has no effect.
///
/// If an operator cancels the wait of a commit for its replica (`pg_cancel_backend`), the call is repeated, and is
/// answered when a commit was replicated.
///
/// ## Permissions
///
/// The first process creates the tables in the first schema of the search path, and the first one of a new version changes
/// them, so its user must own them and needs `USAGE` and `CREATE` on the schema. From PostgreSQL 15 on, users don't have
/// `CREATE` on `public`. Another user needs
///
/// ```sql
/// GRANT USAGE ON SCHEMA public TO app;
/// GRANT SELECT, INSERT, UPDATE ON ribs_tree, ribs_owner TO app;
/// GRANT SELECT ON ribs_migration TO app;
/// GRANT DELETE ON ribs_tree, ribs_owner TO app; -- otherwise the rows of removed trees and ended processes stay
/// ```
///
/// If one is missing, opening the store and its calls throw an error (SQLSTATE 42501 or 3F000) with the `GRANT` to run.
///
/// ## Failures
///
/// A call whose connection is lost, or that gets no response in time, is repeated on a new connection until `timeout` has
/// passed since it was made. Its outcome may be unknown; all functions can be repeated. Then it throws.
///
/// A row that another transaction has locked fails the calls of that tree (SQLSTATE 55P03), after a sixteenth of the timeout
/// at most. A save of several trees leaves it out, writes the others and then throws; claims are divided until it is found.
/// A directory repeats its save alone.
///
/// A transaction that stays open for minutes, such as a backup by `pg_dump` or a forgotten session, makes PostgreSQL keep all
/// versions of all rows meanwhile, and each save of a row that was saved often takes longer. The store writes rows where it
/// has written them last, so that it does not read these versions. 200 trees that save without a pause were still only half
/// as fast after 15 seconds. Limit such sessions by `idle_in_transaction_session_timeout`, and back up from a replica.
///
/// A server that hangs holds up a call for at most twice the timeout. The time to resolve the name of a host is not limited.
public final class PostgreSQLStore: TreeStore {
  private let connections: BlockingConnections<Connection>
  private let claims: ClaimQueue
  private let places = RowPlaces()
  private let server = ServerState()
  /// When to clean up next. The first time is random, so that processes that start together don't meet.
  private let nextCleanup = Mutex(ContinuousClock.now + .seconds(.random(in: 1...60)))

  /// Connects to a database, and creates or updates the tables.
  ///
  /// Updating the tables has no time limit: a new index of a large table takes minutes, in which other processes read and
  /// write it. One process does it, and those that start meanwhile wait for it.
  ///
  /// - Parameters:
  ///   - connection: a URL or a connection string of libpq. Its password is not part of any error; the names of host, user
  ///     and database may be. Use a password file or a service file rather than a password in it. With
  ///     `sslmode=verify-full` the server is verified. Sessions are encrypted by Kerberos only if `gssencmode` says so, here,
  ///     in `PGGSSENCMODE` or in a service file: its library aborts a process that exits while it connects.
  ///   - connections: how many connections to use at most, each with a thread of its own. One more renews the lease while
  ///     all others are in use, because a renewal must not wait behind calls that wait for a replica or a lock.
  ///   - timeout: how long a call is tried, and how long a statement may take, at most 24 days. It should be less than the
  ///     lease.
  ///   - idleAfter: a connection that was in use for less than a twentieth of this time is closed, unless it is the last,
  ///     because a server has a limited number for all processes. Another one is opened when a call waits for 5 ms, or the
  ///     calls of a second wait for 50 ms together.
  ///   - onWarning: called with each warning of the server, and with settings that may lose saves, once for each text. On
  ///     the thread of a connection. By default it is written to standard error.
  /// - Throws: a `PostgreSQLError` if the database can't be used, after the timeout.
  public init(
    _ connection: String, connections: Int = 3, timeout: Duration = .seconds(4),
    idleAfter: Duration = .seconds(10),
    onWarning: @escaping @Sendable (String) -> Void = PostgreSQLStore.writeToStandardError
  ) async throws {
    let (server, warnings) = (server, Warnings(onWarning))
    // The limit of the settings of the database.
    let timeout = min(timeout, .milliseconds(Int32.max))
    let opened = BlockingConnections<Connection>(
      timeout: timeout, idleAfter: idleAfter,
      timedOut: PostgreSQLError.noFreeConnection(max(connections, 1), timeout), closed: PostgreSQLError.closed,
      failing: { error in
        guard let error = error as? PostgreSQLError else { return .final }
        if error.lacksTables { server.didLoseTables() }
        return ConnectionFailure(isPassing: error.isPassing, losesConnection: error.losesConnection)
      },
      opening: { try Connection(connection, timeout, warnings, server) },
      losing: { lost in if let session = lost.session { server.abandon(session) } })
    self.connections = opened
    claims = ClaimQueue { claims, answer in opened.append({ try $0.run(.claim(claims)) }, answer: answer) }
    // The first thread answers when the tables are there.
    opened.addThreads(1)
    _ = try await run(.ping)
    opened.addThreads(max(connections, 1))
  }

  /// Writes a warning to standard error.
  public static let writeToStandardError: @Sendable (String) -> Void = { text in
    FileHandle.standardError.write(Data("PostgreSQLStore: \(text)\n".utf8))
  }

  /// Closes the connections, when the calls that were made before are answered. Later calls fail.
  public func close() async {
    await connections.close()
  }

  // MARK: The contract of TreeStore

  public func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try await meet(owner)
    return try await claims.claim(.init(key: key, owner: owner, schema: schema))
  }

  public func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    let others = try await saveInPlace(records)
    if others.isEmpty { return [] }
    // A single record has nothing to hold up, so it waits for its row.
    let skipsLocked = records.count > 1
    var refused = Set(others.map(\.key))
    var (written, locked): ([TreeKey: Value], [TreeKey]) = ([:], [])
    for row in try await run(.save(others, skipsLocked ? .skippingLocked : .waiting)) {
      let (key, isHeld) = (TreeKey(kind: row[0].text, id: row[1].text), row[2].integer != 0)
      // A row that is not held had the fence when the statement began. A claim has changed it since, or may be about to.
      guard isHeld || skipsLocked else { continue }
      refused.remove(key)
      // A row with a newer version is held, and was not written.
      if !isHeld { locked.append(key) } else if !row[3].isNull { written[key] = row[3] }
    }
    places.set(written, of: others)
    if locked.isEmpty { return refused }
    let names = locked.sorted().map(\.description).joined(separator: ", ")
    throw PostgreSQLError.statement(
      code: PostgreSQLError.lockNotAvailable,
      message: "the rows of \(names) are locked by another transaction; only these were not saved")
  }

  /// Saves the records whose rows are where this store has written them last.
  ///
  /// - Returns: the others.
  private func saveInPlace(_ records: [TreeRecord]) async throws -> [TreeRecord] {
    let (found, known) = places.find(records)
    if found.isEmpty { return records }
    var written: [TreeKey: Value] = [:]
    for row in try await run(.save(found, .inPlace(known))) {
      written[TreeKey(kind: row[0].text, id: row[1].text)] = row[2]
    }
    places.set(written, of: found)
    return records.filter { written[$0.key] == nil }
  }

  public func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
    try await run(.due(kind, limit: limit, schema: schema)).map { TreeKey(kind: kind, id: $0[0].text) }
  }

  public func contains(_ key: TreeKey) async throws -> Bool { try await !run(.contains(key)).isEmpty }

  public func note(_ starts: [TreeStart]) async throws { if !starts.isEmpty { _ = try await run(.note(starts)) } }

  public func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] {
    let found = try await run(.quarantined(kind)).map { row in
      (TreeKey(kind: kind, id: row[0].text), UnfinishedStarts(count: Int(row[1].integer), last: row[2].text))
    }
    return Dictionary(uniqueKeysWithValues: found)
  }

  public func retry(_ key: TreeKey) async throws { _ = try await run(.retry(key)) }

  public func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
    try await meet(owner)
    let isRenewed = try await !run(.renew(owner, for: duration)).isEmpty
    if !isRenewed { places.forgetAll() }
    if isRenewed, isCleanupDue(.now) {
      // Without the permission, it is not tried again.
      Task.detached {
        do { try await self.cleanUp() } catch let error as PostgreSQLError {
          if error.code == PostgreSQLError.insufficientPrivilege { self.postponeCleanup(.now + .seconds(1e9)) }
        } catch {}
      }
    }
    return isRenewed
  }

  public func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? {
    if try await run(.renew(owner, for: duration, revives: true)).isEmpty { return nil }
    let taken = try await run(.taken(Array(fences)))
    return Set(taken.map { TreeKey(kind: $0[0].text, id: $0[1].text) })
  }

  /// Deletes the rows of trees that were removed, and of processes that have ended, at least a day ago.
  func cleanUp(olderThan age: Duration = .seconds(86_400)) async throws {
    for name in ["cleanTrees", "cleanOwners"] { _ = try await run(.clean(name, olderThan: age)) }
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func isCleanupDue(_ now: ContinuousClock.Instant) -> Bool {
    nextCleanup.withLock { next in
      guard now >= next else { return false }
      next = now + .seconds(60)
      return true
    }
  }

  @inline(never)
  private func postponeCleanup(_ time: ContinuousClock.Instant) { nextCleanup.withLock { $0 = time } }

  /// Records an owner that is new, and ends the lease of the one that had its address before.
  ///
  /// An owner is met once, so that one whose row has been deleted is not taken for a new one, and renewed.
  private func meet(_ owner: TreeOwner) async throws {
    if server.hasMet(owner) { return }
    _ = try await run(.meet(owner))
    server.didMeet(owner)
  }

  private func run(_ statement: Statement) async throws -> [Row] {
    try await connections.perform(isUrgent: statement.isUrgent) { try $0.run(statement) }
  }
}

/// An error of a PostgreSQL database. It may have the names of the host, the user and the database, and never a password.
public enum PostgreSQLError: TreeStoreError, Hashable, CustomStringConvertible {
  /// The connection string can't be read.
  case connectionString
  /// There is no connection.
  case connection(String)
  /// The server has not responded in time.
  case timeout(Duration)
  /// The call was not begun in time: other calls used all of so many connections.
  case noFreeConnection(Int, Duration)
  /// The server has refused a statement, with a code of five characters.
  case statement(code: String, message: String)
  /// The server has committed, and an operator has canceled the wait for the replica: a failover may forget the commit.
  case unreplicated
  /// Another connection of the store has the same session of the server: a pooler does not keep sessions apart.
  case sharedSession
  /// The store was closed before the call.
  case closed

  /// Whether only one tree is concerned: its row is locked, or the database can't hold its ID or its document.
  public var isOfTree: Bool { code == PostgreSQLError.lockNotAvailable || isPermanent }

  /// Whether the database can't hold a value, such as an ID with a NUL, or one of more than 2,700 bytes.
  public var isPermanent: Bool { code.map { $0.hasPrefix("22") || $0 == PostgreSQLError.limitExceeded } ?? false }

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .connectionString:
      "The connection string is not a URL or a list of parameters of libpq. Write postgres://USER@HOST:PORT/DATABASE."
    case .connection(let message):
      "There is no connection to the database. Check the host, the port, the user and the password, and pg_hba.conf and "
        + "max_connections of the server: \(message)"
    case .timeout(let duration): "The database has not responded within \(duration). \(PostgreSQLError.waitAdvice)"
    case .noFreeConnection(let count, let duration):
      "All \(count) connections were in use for \(duration). \(PostgreSQLError.waitAdvice) If they wait for nothing, raise "
        + "`connections`."
    case .statement(let code, let message):
      "A statement has failed: \(message) (SQLSTATE \(code))" + (PostgreSQLError.advice(code).map { ". \($0)" } ?? "")
    case .unreplicated:
      "The database has committed without waiting for its replica, because the wait was canceled. The call is repeated. Repair "
        + "the replica, and don't cancel statements that wait for SyncRep."
    case .sharedSession: "Two connections have the same session of the database. \(PostgreSQLError.poolerAdvice)"
    case .closed: "The store was closed before this call. Close it after the last call."
    }
  }

  /// What to do about a statement that has failed.
  private static func advice(_ code: String) -> String? {
    switch code {
    case lockNotAvailable:
      "End the transaction that has locked the row, which pg_blocking_pids names, and set idle_in_transaction_session_timeout."
    case "57014": waitAdvice
    case readOnly: "The server is a replica: name the primary in the connection string, or all hosts."
    case "53100": "Free space on the disk of the database."
    case "53300": "Raise max_connections, or lower `connections`."
    case "XX001", "XX002": "The database is damaged: restore it from a backup."
    case _ where lacksTables.contains(code): "The tables are not those of ribs_migration: restore all from one backup."
    case _ where lostSession.contains(code): poolerAdvice
    case _ where code.hasPrefix("22") || code == limitExceeded: "Use a shorter ID, and none with a NUL."
    default: nil
    }
  }

  private static let waitAdvice = "wait_event in pg_stat_activity says what it waits for."

  private static let poolerAdvice =
    "A connection must keep its session: use the session mode of the pooler, or no pooler."

  /// The code of a statement that has waited too long for a lock.
  static let lockNotAvailable = "55P03"

  /// The code of a value that is too large, such as an ID that an index can't hold.
  static let limitExceeded = "54000"

  /// The codes of statements whose table or column does not exist, as after the restore of an older backup.
  static let lacksTables = ["42P01", "42703"]

  /// Whether a table or a column does not exist. The next connection of the store creates it.
  var lacksTables: Bool { code.map(PostgreSQLError.lacksTables.contains) ?? false }

  /// The code of a statement that the user may not run.
  static let insufficientPrivilege = "42501"

  /// The codes of statements that create or change tables, and that the user may not run: the schema can't be used, too.
  static let forbidsTables = [insufficientPrivilege, "3F000"]

  /// The code of a statement.
  var code: String? { if case .statement(let code, _) = self { code } else { nil } }

  /// The codes of a session that has lost its prepared statements, or that has those of another one, and of a message that
  /// a pooler does not know.
  static let lostSession = ["26000", "42P05", "08P01"]

  /// The code of a write to a server that is read-only, such as one that was a primary.
  static let readOnly = "25006"

  /// Whether the same statement may succeed soon: the connection is lost, the server has canceled it, or the next connection
  /// creates the tables.
  var isPassing: Bool {
    switch self {
    case .connectionString, .sharedSession, .closed: false
    case .connection, .timeout, .noFreeConnection, .unreplicated: true
    case .statement(let code, _):
      // Deadlocks, too few resources, operator intervention such as a shutdown; lost connections.
      ["40", "53", "57", "08"].contains(code.prefix(2)) && !PostgreSQLError.lostSession.contains(code)
        || code == PostgreSQLError.readOnly || lacksTables
    }
  }

  /// Whether a call needs another connection: this one is lost, or leads to a server that ends or can't be written.
  var losesConnection: Bool {
    switch self {
    case .connectionString, .sharedSession, .closed, .unreplicated, .noFreeConnection: false
    case .connection, .timeout: true
    case .statement(let code, _):
      lacksTables || code.hasPrefix("08") || code == PostgreSQLError.readOnly
        || PostgreSQLError.lostSession.contains(code)
        // A shutdown or a crash of the server, or one that starts.
        || ["57P01", "57P02", "57P03"].contains(code)
    }
  }
}
