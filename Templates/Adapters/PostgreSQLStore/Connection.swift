// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL
import Foundation
import RIBsStore
import Synchronization

/// A connection to a PostgreSQL server, used by one thread.
///
/// libpq is used in its non-blocking mode, because a blocking call has no time limit if the server hangs.
final class Connection {
  private let connection: OpaquePointer
  private let timeout: Duration
  private let notices: Notices
  private let server: ServerState
  /// The session at the server, which no other connection of the store has.
  private(set) var session: Session?

  /// A process of the server, which has a number that another one may get later.
  struct Session: Hashable {
    let process: String
    let start: String
  }

  /// Connects, and prepares the statements.
  init(_ string: String, _ timeout: Duration, _ warnings: Warnings, _ server: ServerState) throws {
    (self.timeout, self.server) = (timeout, server)
    notices = Notices(warnings)
    connection = try Connection.open(string, within: timeout)
    guard PQsetnonblocking(connection, 1) == 0 else { throw connectionError() }
    notices.receive(from: connection)
    let setting = try execute(
      """
      SET statement_timeout = 0; SET lock_timeout = 0;
      SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
      SET client_min_messages = warning;
      SELECT set_config('synchronous_commit', 'on', false)
       WHERE current_setting('synchronous_commit') IN ('off', 'local');
      SHOW synchronous_commit
      """)[0][0].text
    if setting == "remote_write" {
      warnings.report(
        """
        synchronous_commit is remote_write: an answered save is lost if the machines of the primary and of the replica \
        fail at the same time. Set it to on.
        """)
    }
    let row = try execute("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
    if let row = row.first {
      let session = Session(process: row[0].text, start: row[1].text)
      guard server.begin(session) else { throw PostgreSQLError.sharedSession }
      self.session = session
    }
    try requirePermissions()
    if !server.hasTables {
      try migrate()
      server.didMigrate()
    }
    // A row that is locked from elsewhere must fail long before a lease ends, and before the connections are used up. A
    // statement that was prepared for a small table would read the whole table for ever, also when it has grown. Where
    // there is no other way, as among the owners, its plan then seems expensive enough to be compiled, which takes longer
    // than any of these statements.
    try execute(
      """
      SET enable_seqscan = off; SET jit = off;
      SET statement_timeout = \(Int64(timeout / .milliseconds(1)));
      SET lock_timeout = \(max(Int64(timeout / .milliseconds(16)), 10))
      """)
    for (name, sql) in Statement.sql {
      try answered("prepare", PQsendPrepare(connection, name, sql, 0, nil))
    }
    // Before the call is repeated, which would wait for their locks.
    let abandoned = server.abandoned
    try end(abandoned)
    server.forget(abandoned)
  }

  /// Connects to the first host that takes sessions which write.
  ///
  /// Each host has an equal share of the time, and the rest of those that refuse at once. libpq would give each one the
  /// whole time, and count it in seconds.
  private static func open(_ string: String, within timeout: Duration) throws -> OpaquePointer {
    var messages: [String] = []
    let end = ContinuousClock.now + timeout
    let given = try parameters(of: string)
    let hosts = hosts(of: given)
    for (index, host) in hosts.enumerated() {
      do {
        return try open(
          string, defaults(beside: given) + host, before: .now + (end - .now) / (hosts.count - index))
      } catch PostgreSQLError.connection(let message) {
        messages.append(message)
      }
    }
    throw PostgreSQLError.connection(messages.joined(separator: "; "))
  }

  /// The parameters of a connection string, and those that the environment sets.
  static func parameters(of string: String) throws -> [String: String] {
    // Its message could have a part of the string, such as a password.
    guard let options = PQconninfoParse(string, nil) else { throw PostgreSQLError.connectionString }
    defer { PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      let value = option.pointee.val ?? option.pointee.envvar.flatMap { getenv($0) }
      if let value { parameters[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return parameters
  }

  /// What is set unless a connection string, the environment or a service file may set it.
  ///
  /// libpq asks the Kerberos library for each connection by default, and that library aborts a process that exits
  /// meanwhile, because its locks are gone.
  static func defaults(beside given: [String: String]) -> [(name: String, value: String)] {
    given["gssencmode"] == nil && given["service"] == nil ? [("gssencmode", "disable")] : []
  }

  /// The hosts of a connection string, each as parameters that select it; no parameters for a single one.
  private static func hosts(of given: [String: String]) -> [[(name: String, value: String)]] {
    var lists: [String: [String]] = [:]
    for name in ["host", "hostaddr", "port"] {
      lists[name] = given[name]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let count = max(lists["host"]?.count ?? 1, lists["hostaddr"]?.count ?? 1)
    if count == 1 { return [[]] }
    return (0..<count).map { index in
      lists.compactMap { name, values in
        // One port is that of all hosts. libpq refuses lists of different lengths.
        values.count == count ? (name, values[index]) : values.count == 1 ? (name, values[0]) : nil
      }
    }
  }

  private static func open(
    _ string: String, _ others: [(name: String, value: String)], before end: ContinuousClock.Instant
  ) throws -> OpaquePointer {
    // The later ones have precedence. A machine that is gone is noticed at both ends, and its locks end. A replica is
    // refused, because it can't be written.
    let parameters =
      [
        ("fallback_application_name", "swift-ribs"), ("target_session_attrs", "read-write"), ("dbname", string),
        ("client_encoding", "UTF8"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
        ("keepalives_count", "3"),
      ] + others
    let opened = withCStrings(parameters.map(\.0)) { names in
      withCStrings(parameters.map(\.1)) { values in PQconnectStartParams(names, values, 1) }
    }
    guard let opened else { throw PostgreSQLError.connection("there is too little memory") }
    var status = PQstatus(opened) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
    while status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING {
      let rest = (end - .now) / .milliseconds(1)
      guard rest > 0 else {
        let name = PQhost(opened).map { String(cString: $0) } ?? ""
        PQfinish(opened)
        throw PostgreSQLError.connection("the server \(name) did not respond in time")
      }
      var descriptor = pollfd(
        fd: PQsocket(opened), events: Int16(status == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
      if poll(&descriptor, 1, Int32(min(rest.rounded(.up), 60_000))) > 0 { status = PQconnectPoll(opened) }
    }
    guard status == PGRES_POLLING_OK else {
      defer { PQfinish(opened) }
      throw connectionError(of: opened)
    }
    return opened
  }

  deinit {
    // First, because a pooler may give it to another connection of the store.
    if let session { server.end(session) }
    PQfinish(connection)
  }

  /// Ends earlier sessions of this store, and waits for their locks for at most a second.
  ///
  /// A session that waits for a replica, or for the machine that is gone, does not notice that its connection is closed.
  /// While a replica is away, each repeated call would leave one. Nothing that it does is answered, and each call is
  /// repeated, so it can be ended at any time.
  private func end(_ sessions: [Session]) throws {
    if sessions.isEmpty { return }
    let values = sessions.map { "(\($0.process), '\($0.start)'::timestamptz)" }.joined(separator: ", ")
    // A pooler may have given one of them to this connection.
    let own = """
      pg_stat_activity a JOIN (VALUES \(values)) s(pid, start) ON a.pid = s.pid AND a.backend_start = s.start
       AND a.pid <> pg_backend_pid()
      """
    try execute("SELECT pg_terminate_backend(a.pid) FROM \(own)")
    for _ in 0..<50 where try !execute("SELECT 1 FROM \(own)").isEmpty { Thread.sleep(forTimeInterval: 0.02) }
  }

  /// Throws an error with the `GRANT` to run if the user may not use one of the tables that are there.
  private func requirePermissions() throws {
    let missing = try execute(
      """
      SELECT string_agg(m.names || ' on ' || m.relation, ' and ' ORDER BY m.relation), current_user,
             string_agg(format('GRANT %s ON %s TO %I', m.names, m.relation, current_user), '; ' ORDER BY m.relation)
        FROM (
          SELECT relation, string_agg(name, ', ' ORDER BY name) AS names
            FROM (VALUES ('ribs_tree', 'SELECT'), ('ribs_tree', 'INSERT'), ('ribs_tree', 'UPDATE'),
                         ('ribs_owner', 'SELECT'), ('ribs_owner', 'INSERT'), ('ribs_owner', 'UPDATE'),
                         ('ribs_migration', 'SELECT')) AS p(relation, name)
           WHERE NOT has_table_privilege(to_regclass(relation), name)
           GROUP BY relation) m
      """)[0]
    if missing[0].isNull { return }
    throw PostgreSQLError.statement(
      code: PostgreSQLError.insufficientPrivilege,
      message: """
        the user \(missing[1].text) lacks the permissions \(missing[0].text). Run this as the owner of the tables: \
        \(missing[2].text)
        """)
  }

  /// Creates and changes the tables. Adds to an error what a user needs who may not.
  private func migrate() throws {
    let user = try execute("SELECT coalesce(current_schema(), 'public'), quote_ident(current_user)")[0]
    do {
      try changeTables()
    } catch PostgreSQLError.statement(let code, let message) where PostgreSQLError.forbidsTables.contains(code) {
      throw PostgreSQLError.statement(
        code: code,
        message: """
          \(message). The tables are created and changed by their owner, so open a store as that user once, and then run \
          GRANT SELECT, INSERT, UPDATE ON ribs_tree, ribs_owner TO \(user[1].text); GRANT SELECT ON ribs_migration TO \
          \(user[1].text). Or let this user own them: GRANT USAGE, CREATE ON SCHEMA \(user[0].text) TO \(user[1].text)
          """)
    }
  }

  /// One process at a time does, without a time limit.
  private func changeTables() throws {
    let number = "SELECT coalesce(max(number), 0)::text FROM ribs_migration"
    // A process that may not create tables can use those that are there.
    let isThere = try !execute("SELECT 1 WHERE to_regclass('ribs_migration') IS NOT NULL").isEmpty
    if isThere, let last = try Int(execute(number)[0][0].text), last >= Statement.migrations.count { return }
    // The lock is polled: a statement that waits for it would have a snapshot, and the process that builds an index
    // concurrently waits for all snapshots.
    while try execute("SELECT pg_try_advisory_lock(hashtext('ribs_migration'))::text")[0][0].text != "true" {
      Thread.sleep(forTimeInterval: 0.1)
    }
    try execute(
      """
      CREATE TABLE IF NOT EXISTS ribs_migration (
        number int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())
      """)
    // Another process may have made the tables while this one waited for the lock.
    let last = try Int(execute(number)[0][0].text) ?? 0
    for (index, migration) in Statement.migrations.enumerated().dropFirst(last) {
      let done = "INSERT INTO ribs_migration (number) VALUES (\(index + 1))"
      switch migration {
      case .transaction(let sql): try execute("BEGIN; \(sql); \(done); COMMIT", isLimited: false)
      case .separate(let statements):
        for statement in statements + [done] { try execute(statement, isLimited: false) }
      }
    }
    try execute("SELECT pg_advisory_unlock(hashtext('ribs_migration'))")
  }

  /// Runs a prepared statement.
  func run(_ statement: Statement) throws -> [Row] {
    let parameters = statement.parameters
    let formats = [Int32](repeating: 1, count: parameters.count)
    let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
    let copies = parameters.map { parameter in
      parameter.bytes.map { bytes in
        // One byte more, because an empty value needs an address too.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        copy.copyBytes(from: bytes)
        return copy
      }
    }
    defer { for copy in copies { copy?.deallocate() } }
    let values = copies.map { UnsafePointer($0?.bindMemory(to: CChar.self).baseAddress) }
    do {
      return try answered(
        statement.name,
        PQsendQueryPrepared(connection, statement.name, Int32(values.count), values, lengths, formats, 1))
    } catch let error as PostgreSQLError where error.code == PostgreSQLError.insufficientPrivilege {
      // Revoked since the connection was opened.
      try requirePermissions()
      throw error
    }
  }

  /// Runs statements without parameters, whose values are returned as text.
  @discardableResult
  private func execute(_ sql: String, isLimited: Bool = true) throws -> [Row] {
    try answered("execute", PQsendQuery(connection, sql), isLimited: isLimited)
  }

  /// Waits until all that was sent is answered.
  ///
  /// - Parameter isSent: 0 if libpq has refused to send it.
  /// - Returns: the rows of the last result.
  @discardableResult
  private func answered(_ name: String, _ isSent: Int32, isLimited: Bool = true) throws -> [Row] {
    guard isSent == 1 else { throw connectionError() }
    notices.isUnreplicated = false
    // The server ends a statement after the timeout. A server that does not is given up a second later.
    let end = isLimited ? ContinuousClock.now + timeout + .seconds(1) : nil
    var rows: [Row] = []
    var failure: PostgreSQLError?
    while let result = try nextResult(before: end) {
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK: rows = Connection.rows(of: result)
      case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: rows = []
      default:
        let code = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? name
        failure = code.isEmpty ? connectionError() : .statement(code: code, message: message)
      }
    }
    if PQstatus(connection) != CONNECTION_OK { throw connectionError() }
    if let failure { throw failure }
    if notices.isUnreplicated { throw PostgreSQLError.unreplicated }
    return rows
  }

  /// Waits for a result.
  ///
  /// - Returns: nil after the last one.
  private func nextResult(before end: ContinuousClock.Instant?) throws -> OpaquePointer? {
    while true {
      let unsent = PQflush(connection)
      if unsent < 0 { throw connectionError() }
      if unsent == 0, PQisBusy(connection) == 0 { return PQgetResult(connection) }
      var descriptor = pollfd(
        fd: PQsocket(connection), events: Int16(unsent == 0 ? POLLIN : POLLIN | POLLOUT), revents: 0)
      // Without an end, a server that is gone is noticed by the keepalives.
      let rest = end.map { ($0 - .now) / .milliseconds(1) }
      if let rest, rest <= 0 { throw PostgreSQLError.timeout(timeout) }
      _ = poll(&descriptor, 1, rest.map { Int32(min($0.rounded(.up), 60_000)) } ?? -1)
      if PQconsumeInput(connection) == 0 { throw connectionError() }
    }
  }

  private static func rows(of result: OpaquePointer) -> [Row] {
    (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
          return Value(bytes: nil)
        }
        let count = Int(PQgetlength(result, row, column))
        return Value(bytes: Array(UnsafeRawBufferPointer(start: start, count: count)))
      }
    }
  }

  private func connectionError() -> PostgreSQLError { Connection.connectionError(of: connection) }

  private static func connectionError(of connection: OpaquePointer) -> PostgreSQLError {
    .connection(String(cString: PQerrorMessage(connection)).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { pointers in
      // The array has at least the nil at its end, so there is an address.
      guard let start = pointers.baseAddress else { preconditionFailure("An array that is not empty has no address.") }
      return body(start)
    }
  }
}

/// The notices of a connection, which come with the response to a statement that has succeeded.
private final class Notices {
  /// Whether a commit has not waited for its replica, because an operator has canceled the wait.
  var isUnreplicated = false
  private let warnings: Warnings

  init(_ warnings: Warnings) { self.warnings = warnings }

  /// - Parameter connection: must not receive after this object was released.
  func receive(from connection: OpaquePointer) {
    PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context, let result else { return }
        Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().receive(result)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func receive(_ notice: OpaquePointer) {
    // The function of the server that has sent it, because its text has the language of the server.
    let function = PQresultErrorField(notice, Int32(UInt8(ascii: "R"))).map { String(cString: $0) }
    if function == "SyncRepWaitForLSN" {
      isUnreplicated = true
    } else {
      warnings.report(
        String(cString: PQresultErrorMessage(notice)).trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }
}

/// What a user should know, each text once.
final class Warnings: Sendable {
  private let reported = Mutex(Set<String>())
  private let handler: @Sendable (String) -> Void

  init(_ handler: @escaping @Sendable (String) -> Void) { self.handler = handler }

  func report(_ text: String) {
    let isNew = withReported { $0.count < 1_000 && $0.insert(text).inserted }
    if isNew { handler(text) }
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func withReported(_ body: (inout Set<String>) -> Bool) -> Bool { reported.withLock { body(&$0) } }
}

/// What a store knows of its server.
final class ServerState: Sendable {
  private struct State {
    var hasTables = false
    /// The IDs of the owners that the database knows.
    var owners: Set<String> = []
    /// Those of the connections.
    var sessions: Set<Connection.Session> = []
    /// Those of connections that were given up. At a server that has failed, they end with it.
    var abandoned: [Connection.Session] = []
  }

  private let state = Mutex(State())

  /// Whether the tables were created or changed by this store.
  var hasTables: Bool { withState { $0.hasTables } }
  func didMigrate() { withState { $0.hasTables = true } }
  func didLoseTables() { withState { $0.hasTables = false } }

  func hasMet(_ owner: TreeOwner) -> Bool { withState { $0.owners.contains(owner.id) } }
  func didMeet(_ owner: TreeOwner) { withState { _ = $0.owners.insert(owner.id) } }

  /// - Returns: false if another connection has the session.
  func begin(_ session: Connection.Session) -> Bool { withState { $0.sessions.insert(session).inserted } }
  func end(_ session: Connection.Session) { withState { _ = $0.sessions.remove(session) } }

  /// The sessions that the next connection has to end, whichever thread opens it: its call may wait for their locks.
  var abandoned: [Connection.Session] { withState { $0.abandoned } }
  func abandon(_ session: Connection.Session) { withState { $0.abandoned = $0.abandoned.suffix(15) + [session] } }
  func forget(_ sessions: [Connection.Session]) { withState { $0.abandoned.removeAll(where: sessions.contains) } }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
