// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import Synchronization
import TestDatabase
import Testing

@testable import PostgreSQLStore

/// What one or two servers can show of a database that fails over. `Scripts/check-failover` runs a cluster.
extension PostgreSQLStoreTests {
  private static func key(_ kind: String) -> TreeKey {
    TreeKey(kind: kind, id: "\(UInt64.random(in: .min ... .max))")
  }

  /// Longer than what a call waits for here, on a slow machine.
  private static let timeout = Duration.seconds(600)

  /// Settings of the server until `body` has returned.
  private func with<Result>(_ settings: [String: String], _ body: () async throws -> Result) async throws -> Result {
    func change(_ statements: [String]) throws {
      for statement in statements + ["SELECT pg_reload_conf()"] { try Database.run(statement) }
    }
    let end = settings.keys.map { "ALTER SYSTEM RESET \($0)" }
    try change(settings.map { name, value in "ALTER SYSTEM SET \(name) = '\(value)'" })
    let result: Result
    do {
      result = try await body()
    } catch {
      try change(end)
      throw error
    }
    try change(end)
    return result
  }

  /// Waits until the server has rows for a query, for at most a minute.
  ///
  /// - Returns: the first row; nil if there is none.
  private func firstRow(of query: String) throws -> String? {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if let row = try Database.run(query).first { return row }
    }
    return nil
  }

  /// Waits until the server has rows for a query, for at most a minute.
  private func wait(for condition: String) throws -> Bool {
    try firstRow(of: "SELECT 1 WHERE EXISTS (\(condition))") != nil
  }

  /// Sets when a lease ends, as if it had been renewed at another time.
  func setLease(of owner: TreeOwner, endsIn seconds: Int) throws {
    try Database.run(
      "UPDATE ribs_owner SET expires_at = clock_timestamp() + \(seconds) * interval '1 second' WHERE id = '\(owner.id)'"
    )
  }

  /// The backends of the store that wait for a replica.
  private static let waitsForReplica = """
    SELECT pid FROM pg_stat_activity WHERE application_name = 'swift-ribs' AND wait_event = 'SyncRep'
    """

  @Test("repeats a call on another connection if the server refuses it because it is read-only, as a replica is")
  func readOnlyServer() async throws {
    let store = try await PostgreSQLStore(url, connections: 1, timeout: Self.timeout)
    let key = Self.key("read-only")
    let record = try await store.firstRecord(of: key)
    let save = try await with(["default_transaction_read_only": "on"]) {
      let time = try Database.run("SELECT clock_timestamp()")[0]
      while try Database.run("SHOW default_transaction_read_only") != ["on"] {}
      let save = Task { try await store.save([record]) }
      #expect(
        try wait(
          for: """
            SELECT 1 WHERE NOT EXISTS (
              SELECT FROM pg_stat_activity WHERE application_name = 'swift-ribs' AND backend_start < '\(time)')
            """))
      return save
    }
    #expect(try await save.value.isEmpty)
    await store.close()
  }

  @Test("finds the server that can be written among several, also when it changes")
  func switchover() async throws {
    let other = try OtherServer()
    let list = Self.list([other.url, url])
    try other.run("ALTER SYSTEM SET default_transaction_read_only = on")
    try other.run("SELECT pg_reload_conf()")
    while try other.run("SHOW default_transaction_read_only") != ["on"] {}
    let store = try await PostgreSQLStore(list, timeout: Self.timeout)
    let key = Self.key("switchover")
    _ = try await store.claimed(key)
    // The tables of the other one, as if they were replicated.
    try other.run("ALTER SYSTEM RESET default_transaction_read_only")
    try other.run("SELECT pg_reload_conf()")
    while try other.run("SHOW default_transaction_read_only") != ["off"] {}
    await (try await PostgreSQLStore(other.url, connections: 1, timeout: Self.timeout)).close()
    try await with(["default_transaction_read_only": "on"]) {
      while try Database.run("SHOW default_transaction_read_only") != ["on"] {}
      _ = try await store.claimed(key)
      #expect(try other.run("SELECT id FROM ribs_tree WHERE kind = 'switchover'") == [key.id])
    }
    await store.close()
    try other.end()
  }

  /// One URL for several servers.
  private static func list(_ urls: [String]) -> String {
    let hosts = urls.compactMap { URL(string: $0) }.map { "\($0.host() ?? ""):\($0.port ?? 0)" }
    return "postgres://ribs@\(hosts.joined(separator: ","))/postgres"
  }

  @Test("waits for the replica, whatever the user's setting is", arguments: ["local", "off"])
  func raisesSynchronousCommit(_ setting: String) async throws {
    let store = try await PostgreSQLStore(
      url + "?options=-c%20synchronous_commit%3D\(setting)", connections: 1, timeout: Self.timeout)
    let key = Self.key("synchronous")
    let record = try await store.firstRecord(of: key)
    let isDone = Flag()
    let saves = Task { try await store.save(record, until: isDone) }
    let waits = try await with(["synchronous_standby_names": "absent"]) { try wait(for: Self.waitsForReplica) }
    #expect(waits)
    isDone.value.store(true, ordering: .sequentiallyConsistent)
    try await saves.value
    await store.close()
  }

  @Test("warns of a replica that has not written, once, and passes on the warnings of the server")
  func warnings() async throws {
    let texts = Texts()
    let store = try await PostgreSQLStore(
      url + "?options=-c%20synchronous_commit%3Dremote_write", connections: 2, timeout: Self.timeout
    ) { text in texts.all.withLock { $0.append(text) } }
    let key = Self.key("warnings")
    try Database.run(
      """
      CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'disk'; RETURN NEW; END $$;
      CREATE TRIGGER warn BEFORE INSERT ON ribs_tree FOR EACH ROW WHEN (NEW.kind = 'warnings') EXECUTE FUNCTION warn()
      """)
    for _ in 0..<2 { _ = try await store.claimed(key) }
    try Database.run("DROP FUNCTION warn CASCADE")
    await store.close()
    let all = texts.all.withLock { $0 }
    #expect(all.count { $0.contains("remote_write") } == 1)
    #expect(all.filter { !$0.contains("remote_write") } == ["WARNING:  disk"])
  }

  @Test("does not answer a save whose wait for the replica an operator has canceled")
  func canceledWait() async throws {
    let store = try await PostgreSQLStore(url, connections: 1, timeout: Self.timeout)
    let key = Self.key("canceled")
    let record = try await store.firstRecord(of: key)
    let (isWaiting, answered) = (Flag(), Flag())
    let saves = Task {
      try await store.save(record, until: isWaiting)
      answered.value.store(true, ordering: .sequentiallyConsistent)
    }
    try await with(["synchronous_standby_names": "absent"]) {
      let waits = try wait(for: Self.waitsForReplica)
      #expect(waits)
      isWaiting.value.store(true, ordering: .sequentiallyConsistent)
      for _ in 0..<3 {
        let time = try Database.run("SELECT clock_timestamp()")[0]
        let canceled = try Database.run(
          "WITH p AS MATERIALIZED (\(Self.waitsForReplica)) SELECT 1 FROM p WHERE pg_cancel_backend(pid)")
        #expect(canceled == ["1"])
        // It is repeated, and waits again.
        let waitsAgain = try wait(for: "\(Self.waitsForReplica) AND query_start > '\(time)'")
        #expect(waitsAgain)
        let isAnswered = answered.value.load(ordering: .sequentiallyConsistent)
        #expect(!isAnswered)
      }
    }
    try await saves.value
    await store.close()
  }

  @Test("gives no fence twice, also after the database has lost its last transactions")
  func lostTransactions() async throws {
    let store = try await PostgreSQLStore(url, timeout: Self.timeout)
    let key = Self.key("lost")
    let row = "kind = '\(key.kind)' AND id = '\(key.id)'"
    var fences = [try await store.claimed(key).fence, try await store.claimed(key).fence]
    // As a replica has it that has missed the second claim.
    try Database.run("UPDATE ribs_tree SET fence = \(fences[0]) WHERE \(row)")
    fences.append(try await store.claimed(key).fence)
    // As a backup has it that was made before the first.
    try Database.run("DELETE FROM ribs_tree WHERE \(row)")
    fences.append(try await store.claimed(key).fence)
    #expect(fences == Set(fences).sorted())
    // Both have claimed the tree with what would be the same fence.
    #expect(try await store.save([.sample(key, fence: fences[1], version: 9, "late")]) == [key])
    // The clock of the new server is behind: larger than the stored one all the same.
    try Database.run("UPDATE ribs_tree SET fence = fence + 3600000000 WHERE \(row)")
    #expect(try await store.claimed(key).fence == fences[3] + 3_600_000_001)
    await store.close()
  }

  @Test("ends the session of a call that has timed out, so that the server does not fill up while a replica is away")
  func sessionsOfTimeouts() async throws {
    let store = try await repeated { try await PostgreSQLStore(url, connections: 1, timeout: .seconds(1)) }
    let key = Self.key("timeouts")
    let record = try await repeated { try await store.firstRecord(of: key) }
    let isDone = Flag()
    let save = Task { try await store.save(record, until: isDone, repeatsErrors: true) }
    let sessions = try await with(["synchronous_standby_names": "absent"]) {
      var sessions = ["-infinity"]
      // Each one waits for two seconds until the store gives it up. Then there is only the next one.
      for _ in 0..<3 {
        let next = try firstRow(
          of: """
            SELECT max(backend_start) FROM pg_stat_activity WHERE application_name = 'swift-ribs'
            HAVING count(*) = 1 AND bool_and(wait_event = 'SyncRep') AND max(backend_start) > '\(sessions[sessions.count - 1])'
            """)
        guard let next else { break }
        sessions.append(next)
      }
      return sessions
    }
    isDone.value.store(true, ordering: .sequentiallyConsistent)
    try await save.value
    #expect(sessions.count == 4)
    await store.close()
  }

  @Test("deletes the rows of removed trees and ended processes a day later, and no others")
  func cleanup() async throws {
    let store = try await PostgreSQLStore(url, timeout: Self.timeout)
    let kind = Self.key("cleanup").kind + "\(UInt64.random(in: .min ... .max))"
    let (owner, living) = (TreeOwner(), TreeOwner())
    #expect(try await store.renew(living, for: .seconds(86_400)))
    #expect(try await store.renew(owner, for: .zero))
    func rows() throws -> [String] {
      try Database.run("SELECT id FROM ribs_tree WHERE kind = '\(kind)' ORDER BY id")
    }
    let day = "86400000000"
    try Database.run(
      """
      INSERT INTO ribs_tree (kind, id, owner, fence, document)
      SELECT '\(kind)', id, owner, extract(epoch FROM clock_timestamp()) * 1000000 - claimed * \(day), document
        FROM (VALUES ('claimed', '\(owner.id)', 3, NULL), ('new', NULL, 0, NULL), ('removed', NULL, 3, NULL),
                     ('saved', NULL, 3, 'x'::bytea)) AS v(id, owner, claimed, document);
      INSERT INTO ribs_tree (kind, id, fence) VALUES ('\(kind)', 'before', 7);
      """)
    func pass(_ days: Int) throws {
      try Database.run(
        """
        UPDATE ribs_tree SET removed_at = removed_at - \(days) * interval '1 day' WHERE kind = '\(kind)';
        UPDATE ribs_owner SET expires_at = expires_at - \(days) * interval '1 day' WHERE id = '\(owner.id)'
        """)
    }
    let all = ["before", "claimed", "new", "removed", "saved"]
    // Only noted: it may have been removed just now.
    for _ in 0..<2 { try await store.cleanUp() }
    #expect(try rows() == all)
    // Claimed and removed again since.
    try pass(2)
    let key = TreeKey(kind: kind, id: "removed")
    let fence = try await store.claimed(key).fence
    func remove() async throws -> Set<TreeKey> {
      try await store.save([
        TreeRecord(
          key: key, fence: fence, version: 1, schema: 1, content: .removed, isAwake: false, isReleased: true)
      ])
    }
    #expect(try await remove().isEmpty)
    try await store.cleanUp()
    #expect(try rows() == all)
    // A removal may be repeated.
    #expect(try await remove().isEmpty)
    try pass(3)
    try Database.run("UPDATE ribs_tree SET fence = fence - 3 * \(day) WHERE kind = '\(kind)' AND id = 'removed'")
    try await store.cleanUp()
    #expect(try rows() == all)
    try pass(2)
    try await store.cleanUp()
    #expect(try rows() == ["before", "claimed", "new", "saved"])
    let owners = try Database.run("SELECT id FROM ribs_owner WHERE id IN ('\(owner.id)', '\(living.id)')")
    #expect(owners == [living.id])
    // It is not renewed, and its trees can be claimed.
    #expect(try await !store.renew(owner, for: .seconds(60)))
    _ = try await store.claimed(TreeKey(kind: kind, id: "claimed"), by: living)
    #expect(try await store.claimed(key).fence > fence)
    await store.close()
  }

  @Test("leaves the trees of processes that have missed the database at the same time for one lease, and no others")
  func missedDatabase() async throws {
    let store = try await PostgreSQLStore(url, timeout: Self.timeout)
    let kind = Self.key("missed").kind + "\(UInt64.random(in: .min ... .max))"
    let owners = ["first", "second", "dead"].map { TreeOwner(address: "\(kind) \($0)") }
    var fences: [[TreeKey: UInt64]] = []
    for owner in owners {
      #expect(try await store.renew(owner, for: .seconds(1_000)))
      let key = TreeKey(kind: kind, id: "\(fences.count)")
      let fence = try await store.claimed(key, by: owner).fence
      #expect(try await store.save([.sample(key, fence: fence, version: 1, "saved")]).isEmpty)
      fences.append([key: fence])
    }
    // The database was away for a time in which the first two leases have ended; the third owner was dead long before.
    for (owner, seconds) in zip(owners, [1, 500, 5_000]) { try setLease(of: owner, endsIn: -seconds) }
    #expect(try await !store.renew(owners[0], for: .seconds(1_000)))
    #expect(try await store.revive(owners[0], for: .seconds(1_000), holding: fences[0]) == [])
    #expect(try await store.due(kind, limit: 10, schema: 1).map(\.id) == ["2"])
    let key = TreeKey(kind: kind, id: "1")
    #expect(try await store.claim(key, by: owners[0], schema: 1) == .elsewhere(address: owners[1].address))
    // It must ask what was claimed before it was spared.
    #expect(try await !store.renew(owners[1], for: .seconds(1_000)))
    #expect(try await store.revive(owners[1], for: .seconds(1_000), holding: fences[1]) == [])
    for owner in owners[0...1] { #expect(try await store.renew(owner, for: .seconds(1_000))) }
    // Only once.
    let rest = try Database.run(
      """
      UPDATE ribs_owner SET expires_at = clock_timestamp() - interval '1 second', lease = - lease
       WHERE id = '\(owners[1].id)' RETURNING 1
      """)
    #expect(rest == ["1"])
    try setLease(of: owners[0], endsIn: -1)
    #expect(try await store.revive(owners[0], for: .seconds(1_000), holding: fences[0]) == [])
    #expect(try await store.due(kind, limit: 10, schema: 1).map(\.id).sorted() == ["1", "2"])
    await store.close()
  }

  @Test("takes no tree from others long after the own renewal, and spares those that have missed the database")
  func lateRenewal() async throws {
    let store = try await PostgreSQLStore(url, timeout: Self.timeout)
    let kind = "late\(UInt64.random(in: .min ... .max))"
    let (holder, other) = (TreeOwner(address: "\(kind) holder"), TreeOwner(address: "\(kind) other"))
    for owner in [holder, other] { #expect(try await store.renew(owner, for: .seconds(1_000))) }
    let key = TreeKey(kind: kind, id: "1")
    let fence = try await store.claimed(key, by: holder).fence
    #expect(try await store.save([.sample(key, fence: fence, version: 1, "saved")]).isEmpty)
    // Commits are waiting for a replica: the lease of the holder has ended just now, and the other one is about to end.
    try setLease(of: holder, endsIn: -1)
    try setLease(of: other, endsIn: 400)
    #expect(try await store.claim(key, by: other, schema: 1) == .elsewhere(address: holder.address))
    // The database is back.
    #expect(try await store.renew(other, for: .seconds(1_000)))
    #expect(try await store.claim(key, by: other, schema: 1) == .elsewhere(address: holder.address))
    #expect(try await store.revive(holder, for: .seconds(1_000), holding: [key: fence]) == [])
    // The holder ends, and the other one is renewed as always.
    try setLease(of: holder, endsIn: -1)
    try setLease(of: other, endsIn: 600)
    #expect(try await store.renew(other, for: .seconds(1_000)))
    #expect(try await store.claimed(key, by: other).fence > fence)
    await store.close()
  }

  @Test("connects within the timeout, however many hosts don't respond")
  func blackHoles() async throws {
    let holes = try (0..<2).map { _ in try BlackHole() }
    let start = ContinuousClock.now
    let list = Self.list(holes.map { "postgres://ribs@127.0.0.1:\($0.port)/postgres" } + [url])
    await (try await PostgreSQLStore(list, connections: 1, timeout: .seconds(6))).close()
    // Two thirds of the timeout for the two, and not the timeout for each.
    #expect(ContinuousClock.now - start < .seconds(12))
  }

  @Test("says that a pooler must keep the session, if prepared statements vanish")
  func lostStatements() async throws {
    let store = try await PostgreSQLStore(url, connections: 1, timeout: Self.timeout)
    let key = Self.key("pooled")
    try Database.run(
      """
      CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE ALL; RETURN NEW; END $$;
      CREATE TRIGGER forget BEFORE INSERT ON ribs_tree FOR EACH ROW WHEN (NEW.id = '\(key.id)') EXECUTE FUNCTION forget()
      """)
    let record = try await store.firstRecord(of: key)
    try Database.run("DROP FUNCTION forget CASCADE")
    let error = await #expect(throws: PostgreSQLError.self) { try await store.save([record]) }
    #expect(error?.description.contains("session mode") == true, "\(error as Any)")
    // Not for ever: they may have been lost once.
    #expect(try await store.save([record]).isEmpty)
    await store.close()
  }
}

private final class Texts: Sendable { let all = Mutex<[String]>([]) }

/// A port that takes connections, and never answers.
private final class BlackHole {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptor = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) == 0 && listen(socket, 16) == 0
          && getsockname(socket, pointer, &length) == 0
      }
    }
    guard isBound else { throw Database.Failed(command: "bind") }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}
