// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsStore
import RIBsTesting
import Synchronization
import TestDatabase
import Testing

@testable import PostgreSQLStore

@Suite("The store in PostgreSQL", .serialized, .enabled(if: Database.url != nil, "needs Scripts/with-postgres"))
struct PostgreSQLStoreTests {
  let url: String

  init() throws { url = try #require(Database.url) }

  @Test("fulfills the contract of stores")
  func conformance() async throws {
    let url = url
    await expectConformance(of: { try await PostgreSQLStore(url) }) { store in
      await store.close()
      return try await PostgreSQLStore(url)
    }
  }

  @Test("refuses a save that waited for a claim, and returns to a claim what it waited for")
  func interleaving() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let key = TreeKey(kind: "interleaving", id: "\(UInt64.random(in: .min ... .max))")
    let row = "WHERE kind = '\(key.kind)' AND id = '\(key.id)'"
    let waits = """
      DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP;
      END $$
      """
    let fence = try await store.claimed(key).fence
    let session = try Session()
    // A claim by another process, not yet committed.
    try session.run("BEGIN; UPDATE ribs_tree SET fence = fence + 1 \(row)")
    let save = Task { try await store.save([.sample(key, fence: fence, version: 1, "late")]) }
    try session.run("\(waits); COMMIT")
    #expect(try await save.value == [key])
    // A save by another process, not yet committed.
    try session.run("BEGIN; UPDATE ribs_tree SET version = 7, document = 'saved', starts = 0 \(row)")
    let claim = Task { try await store.claimed(key) }
    try session.run("\(waits); COMMIT")
    let claimed = try await claim.value
    #expect(claimed.fence >= fence + 2)
    #expect(claimed.saved == SavedRecord(version: 7, schema: 1, document: Array("saved".utf8), isAwake: false))
    try session.end()
    await store.close()
  }

  @Test("loses no answered save when the server is killed during saves")
  func killedServer() async throws {
    let store = try await repeated { try await PostgreSQLStore(url, timeout: .seconds(2)) }
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    let isDone = Flag()
    let run = UInt64.random(in: .min ... .max)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<8 {
        group.addTask {
          // A failure ends the wait for answers.
          defer { answer.finish() }
          let key = TreeKey(kind: "killed-\(run)", id: "\(id)")
          let fence = try await repeated { try await store.claimed(key).fence }
          var version: UInt64 = 0
          repeat {
            version += 1
            let record = TreeRecord.sample(key, fence: fence, version: version, "\(version)")
            // A save that throws has an unknown outcome.
            #expect(try await repeated { try await store.save([record]) }.isEmpty)
            answer.yield()
          } while !isDone.value.load(ordering: .relaxed)
          let saved = try await repeated { try await store.claimed(key).saved }
          #expect(saved == SavedRecord(version: version, schema: 1, document: Array("\(version)".utf8), isAwake: true))
        }
      }
      var iterator = answers.makeAsyncIterator()
      for _ in 0..<3 {
        for _ in 0..<40 { _ = await iterator.next() }
        try Database.control("crash")
        try Database.control("start")
      }
      for _ in 0..<40 { _ = await iterator.next() }
      isDone.value.store(true, ordering: .relaxed)
      try await group.waitForAll()
    }
    await store.close()
  }

  @Test("throws when the server hangs, and works when it goes on")
  func hungServer() async throws {
    let store = try await repeated { try await PostgreSQLStore(url, timeout: .seconds(1)) }
    let key = TreeKey(kind: "hung", id: "\(UInt64.random(in: .min ... .max))")
    // Before the server hangs, a busy machine may take longer than that.
    let patient = try await PostgreSQLStore(url, timeout: .seconds(60))
    let record = try await patient.firstRecord(of: key)
    try Database.control("stop")
    do {
      defer { #expect(throws: Never.self) { try Database.control("continue") } }
      // More calls than connections: those that wait end too.
      let errors = await withTaskGroup(of: PostgreSQLError?.self) { group in
        for _ in 0..<10 {
          group.addTask { await #expect(throws: PostgreSQLError.self) { try await store.save([record]) } }
        }
        return await group.reduce(into: Set<PostgreSQLError?>()) { $0.insert($1) }
      }
      #expect(errors.contains(.timeout(.seconds(1))) && errors.contains(.noFreeConnection(3, .seconds(1))), "\(errors)")
    }
    #expect(try await repeated { try await store.save([record]) }.isEmpty)
    #expect(try await repeated { try await store.claimed(key).saved }?.document == Array("saved".utf8))
    await patient.close()
    await store.close()
  }

  @Test("connects again when its connections are terminated")
  func terminatedConnections() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let key = TreeKey(kind: "terminated", id: "\(UInt64.random(in: .min ... .max))")
    let fence = try await store.claimed(key).fence
    for version in 1...5 as ClosedRange<UInt64> {
      try Database.run(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'swift-ribs'")
      #expect(try await store.save([.sample(key, fence: fence, version: version, "saved")]).isEmpty)
    }
    await store.close()
  }

  @Test("saves many trees in one commit")
  func groupCommit() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let owner = TreeOwner()
    let kind = "group-\(UInt64.random(in: .min ... .max))"
    var records: [TreeRecord] = []
    for id in 0..<100 {
      let key = TreeKey(kind: kind, id: "\(id)")
      records.append(try await store.firstRecord(of: key, by: owner))
    }
    // Each call is a transaction that writes. Vacuuming adds a few.
    func transactions() throws -> Int { try Int(Database.run("SELECT txid_current()")[0]) ?? 0 }
    let before = try transactions()
    for record in records { #expect(try await store.save([record]).isEmpty) }
    let afterSingleSaves = try transactions()
    #expect(try await store.save(records).isEmpty)
    let afterOneSave = try transactions()
    #expect(afterSingleSaves - before >= 100)
    #expect(afterOneSave - afterSingleSaves <= 10)
    await store.close()
  }

  @Test("saves documents of several megabytes")
  func largeDocument() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let key = TreeKey(kind: "large", id: "\(UInt64.random(in: .min ... .max))")
    let document = String(repeating: "0123456789", count: 500_000)
    #expect(try await store.save([store.firstRecord(of: key, document)]).isEmpty)
    #expect(try await store.claimed(key).saved?.document == Array(document.utf8))
    await store.close()
  }

  @Test("creates the tables once when many processes start at the same time")
  func migrations() async throws {
    try Database.run("DROP TABLE IF EXISTS ribs_tree, ribs_owner, ribs_migration")
    let url = url
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { await (try await PostgreSQLStore(url, connections: 1, timeout: .seconds(60))).close() }
      }
      try await group.waitForAll()
    }
    #expect(try Database.run("SELECT count(*) FROM ribs_migration") == ["\(Statement.migrations.count)"])
    let document = "pg_attribute WHERE attrelid = 'ribs_tree'::regclass AND attname = 'document'"
    #expect(try Database.run("SELECT attcompression FROM \(document)") == ["l"])
  }

  @Test("finds the trees of dead owners without reading those of living ones")
  func due() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let kind = "due-\(UInt64.random(in: .min ... .max))"
    let (living, dead) = (TreeOwner(), TreeOwner())
    #expect(try await store.renew(living, for: .seconds(86_400)))
    #expect(try await store.renew(dead, for: .zero))
    try Database.run(
      """
      INSERT INTO ribs_tree (kind, id, owner, is_awake, schema, document)
      SELECT '\(kind)', 'living' || n, '\(living.id)', true, 1, 'x'::bytea FROM generate_series(1, 20000) n
      UNION ALL SELECT '\(kind)', 'dead' || n, '\(dead.id)', true, n, 'x'::bytea FROM generate_series(1, 3) n
      UNION ALL SELECT '\(kind)', 'unknown' || n, 'unknown', true, 1, 'x'::bytea FROM generate_series(1, 3) n
      UNION ALL SELECT '\(kind)', 'free' || n, NULL::text, n > 1, 1, 'x'::bytea FROM generate_series(1, 3) n;
      """)
    try Database.run("VACUUM ANALYZE ribs_tree")
    let found = try await store.due(kind, limit: 100, schema: 2).map(\.id).sorted()
    #expect(found == ["dead1", "dead2", "free2", "free3", "unknown1", "unknown2", "unknown3"])
    #expect(try await store.due(kind, limit: 4, schema: 2).count == 4)
    await store.close()
    let sql = try #require(Statement.sql["due"])
    let plan = try Database.run(
      """
      SET plan_cache_mode = force_generic_plan; PREPARE due (text, bigint, bigint) AS \(sql);
      EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off) EXECUTE due ('\(kind)', 256, 2);
      """)
    let pages = try #require(plan.lazy.compactMap { $0.firstMatch(of: /hit=(\d+)/)?.1 }.first.flatMap { Int($0) })
    // Each tree would be one.
    #expect(pages < 200, "\(plan.joined(separator: "\n"))")
  }

  @Test("finds the trees whose time has come without reading those that sleep on or belong to living owners")
  func wakes() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let kind = "wakes-\(UInt64.random(in: .min ... .max))"
    let (living, dead) = (TreeOwner(), TreeOwner())
    #expect(try await store.renew(living, for: .seconds(86_400)))
    #expect(try await store.renew(dead, for: .zero))
    let now = WallTime.now.microsecondsSince1970
    try Database.run(
      """
      INSERT INTO ribs_tree (kind, id, owner, is_awake, schema, document, wakes_at)
      SELECT '\(kind)', 'later' || n, NULL, false, 1, 'x'::bytea, \(now) + 3600000000 + n FROM generate_series(1, 20000) n
      UNION ALL SELECT '\(kind)', 'living' || n, '\(living.id)', false, 1, 'x'::bytea, n FROM generate_series(1, 20000) n
      UNION ALL SELECT '\(kind)', 'never' || n, NULL, false, 1, 'x'::bytea, NULL FROM generate_series(1, 20000) n
      UNION ALL SELECT '\(kind)', 'dead' || n, '\(dead.id)', false, n, 'x'::bytea, 10 - n FROM generate_series(1, 3) n
      UNION ALL SELECT '\(kind)', 'unknown' || n, 'unknown', false, 1, 'x'::bytea, \(now) - n FROM generate_series(1, 3) n
      UNION ALL SELECT '\(kind)', 'free' || n, NULL, n = 3, 1, 'x'::bytea, 30 - n FROM generate_series(1, 3) n;
      """)
    try Database.run("VACUUM ANALYZE ribs_tree")
    let expected = ["free3", "dead2", "dead1", "free2", "free1", "unknown3", "unknown2", "unknown1"]
    #expect(try await store.due(kind, limit: 100, schema: 2).map(\.id) == expected)
    #expect(try await store.due(kind, limit: 4, schema: 2).map(\.id) == Array(expected.prefix(4)))
    await store.close()
    let sql = try #require(Statement.sql["due"])
    let plan = try Database.run(
      """
      SET plan_cache_mode = force_generic_plan; PREPARE due (text, bigint, bigint) AS \(sql);
      EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off) EXECUTE due ('\(kind)', 256, 2);
      """)
    let pages = try #require(plan.lazy.compactMap { $0.firstMatch(of: /hit=(\d+)/)?.1 }.first.flatMap { Int($0) })
    #expect(pages < 200, "\(plan.joined(separator: "\n"))")
  }

  @Test(
    "keeps the time of a tree that a program of before saves, and ends with it that the tree was woken once too often")
  func wakesOfBefore() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let key = TreeKey(kind: "wakes-\(UInt64.random(in: .min ... .max))", id: "1")
    let owner = TreeOwner()
    func save(_ version: UInt64, wakes: WallTime?) async throws {
      guard case .claimed(let fence, _) = try await store.claim(key, by: owner, schema: 1) else {
        throw PostgreSQLStore.NotClaimed()
      }
      let record = TreeRecord(
        key: key, fence: fence, version: version, schema: 1, content: .document([1]), isAwake: false, wakes: wakes,
        isReleased: true)
      #expect(try await store.save([record]) == [])
    }
    try await save(1, wakes: .now - .seconds(1))
    try Database.run(
      "UPDATE ribs_tree SET version = 2, document = 'again', fence = fence + 1 WHERE kind = '\(key.kind)'")
    #expect(try await store.due(key.kind, limit: 10, schema: 1) == [key])
    try await save(3, wakes: nil)
    #expect(try await store.due(key.kind, limit: 10, schema: 1) == [])
    await store.close()
  }

  @Test("adds the columns of starts to tables of before, and programs of before go on with them")
  func columnsOfStarts() async throws {
    try Database.run(
      """
      DROP TABLE IF EXISTS ribs_tree, ribs_owner, ribs_migration;
      CREATE TABLE ribs_migration (number int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
      CREATE TABLE ribs_owner (
        id text COLLATE "C" PRIMARY KEY, address text COLLATE "C" NOT NULL, expires_at timestamptz);
      CREATE INDEX ribs_owner_address ON ribs_owner (address);
      CREATE TABLE ribs_tree (
        kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, owner text COLLATE "C",
        fence bigint NOT NULL DEFAULT 1, version bigint NOT NULL DEFAULT 0, schema bigint NOT NULL DEFAULT 0,
        is_awake boolean NOT NULL DEFAULT false, document bytea, PRIMARY KEY (kind, id)) WITH (fillfactor = 60);
      CREATE INDEX ribs_tree_awake_owner ON ribs_tree (kind, owner, id) WHERE is_awake;
      INSERT INTO ribs_migration (number) VALUES (1), (2);
      INSERT INTO ribs_tree (kind, id, owner, fence, version, schema, is_awake, document)
      VALUES ('before', '1', NULL, 4, 7, 1, true, 'saved'), ('before', '2', 'dead', 4, 7, 1, true, 'saved');
      """)
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    #expect(try Database.run("SELECT count(*) FROM ribs_migration") == ["\(Statement.migrations.count)"])
    #expect(try await store.due("before", limit: 10, schema: 1).map(\.id).sorted() == ["1", "2"])
    let key = TreeKey(kind: "before", id: "1")
    let expected = SavedRecord(version: 7, schema: 1, document: Array("saved".utf8), isAwake: true)
    let owner = TreeOwner()
    #expect(try await store.claimed(key, by: owner).saved == expected)
    // The claim and the save of a program of before.
    try Database.run(
      """
      INSERT INTO ribs_tree AS t (kind, id, owner, schema) VALUES ('before', '1', 'old', 1), ('before', '3', 'old', 1)
      ON CONFLICT (kind, id) DO UPDATE SET owner = EXCLUDED.owner, fence = t.fence + 1,
             version = CASE WHEN t.document IS NULL THEN 0 ELSE t.version END;
      UPDATE ribs_tree SET version = 8, document = 'again', owner = NULL WHERE kind = 'before' AND id IN ('1', '3')
      """)
    let claim = try await store.claim(key, by: owner, schema: 1)
    guard case .claimed(let fence, let saved?) = claim else { throw PostgreSQLStore.NotClaimed() }
    #expect(saved.document == Array("again".utf8))
    // Not reset: it is started alone once more.
    #expect(saved.unfinishedStarts == UnfinishedStarts(count: 1))
    #expect(try await store.claim(TreeKey(kind: "before", id: "3"), by: owner, schema: 1) != .elsewhere(address: ""))
    try await store.note([TreeStart(key: key, fence: fence, state: .quarantined)])
    try Database.run("UPDATE ribs_tree SET fence = fence + 1, owner = NULL WHERE kind = 'before' AND id = '1'")
    #expect(try await store.quarantined("before") == [key: UnfinishedStarts(count: 1)])
    await store.close()
  }

  @Test("shortens leases that were renewed before the clock was set back, and none of a program of before")
  func clockSetBack() async throws {
    // The tables of before, with an owner.
    await (try await PostgreSQLStore(url, timeout: .seconds(60))).close()
    let run = "\(UInt64.random(in: .min ... .max))"
    try Database.run(
      """
      ALTER TABLE ribs_owner DROP COLUMN lease; DELETE FROM ribs_migration WHERE number >= 4;
      INSERT INTO ribs_owner (id, address, expires_at)
      VALUES ('old-\(run)', '', clock_timestamp() + interval '1 hour')
      """)
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    #expect(try Database.run("SELECT count(*) FROM ribs_migration") == ["\(Statement.migrations.count)"])
    let owners = (0..<3).map { _ in TreeOwner() }
    for (owner, seconds) in zip(owners, [10, 20, 3_600]) {
      #expect(try await store.renew(owner, for: .seconds(seconds)))
    }
    // A program of before renews its lease beside.
    try Database.run(
      """
      UPDATE ribs_owner SET expires_at = clock_timestamp() + interval '10 seconds'
       WHERE id = 'old-\(run)' AND (expires_at IS NULL OR expires_at > clock_timestamp())
      """)
    // As they would be if the clock had been two hours ahead.
    let ids = owners.map { "'\($0.id)'" } + ["'old-\(run)'"]
    try Database.run(
      "UPDATE ribs_owner SET expires_at = expires_at + interval '2 hours' WHERE id IN (\(ids.joined(separator: ", ")))")
    func rest(_ id: String) throws -> Int {
      let rest = "extract(epoch FROM expires_at - clock_timestamp())::int"
      return try Int(Database.run("SELECT \(rest) FROM ribs_owner WHERE id = '\(id)'")[0]) ?? 0
    }
    // A row that another transaction has locked does not hold up a renewal. It is shortened by a later one.
    let session = try Session()
    try session.run("BEGIN; SELECT FROM ribs_owner WHERE id = '\(owners[1].id)' FOR SHARE")
    #expect(try await store.renew(TreeOwner(), for: .seconds(10)))
    #expect(try rest(owners[0].id) <= 10)
    #expect(try rest(owners[1].id) > 7_000)
    try session.run("COMMIT")
    try session.end()
    #expect(try await store.renew(TreeOwner(), for: .seconds(10)))
    #expect(try rest(owners[1].id) <= 20)
    #expect(try (3_000...3_600).contains(rest(owners[2].id)))
    #expect(try rest("old-\(run)") > 7_000)
    // The owner of a lease that was shortened may live.
    #expect(try await store.renew(owners[2], for: .seconds(10)))
    #expect(try rest(owners[2].id) <= 10)
    await store.close()
  }

  @Test("finds the trees in quarantine by their index")
  func quarantineIndex() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let kind = "quarantine-\(UInt64.random(in: .min ... .max))"
    try Database.run(
      """
      INSERT INTO ribs_tree (kind, id, is_awake, document, starts, is_quarantined)
      SELECT '\(kind)', n::text, true, 'x'::bytea, 3, n <= 3 FROM generate_series(1, 20000) n
      """)
    try Database.run("VACUUM ANALYZE ribs_tree")
    #expect(try await store.quarantined(kind).keys.map(\.id).sorted() == ["1", "2", "3"])
    #expect(try await store.due(kind, limit: 30_000, schema: 1).count == 19_997)
    await store.close()
    let plan = try Database.run(
      "EXPLAIN SELECT id, starts::bigint, last_start FROM ribs_tree WHERE kind = '\(kind)' AND is_quarantined")
    #expect(plan.contains { $0.contains("ribs_tree_quarantined") }, "\(plan.joined(separator: "\n"))")
  }

  /// Returns when calls wait for locks, and after ten seconds at the latest.
  private static func untilCallsWait(_ count: Int = 1) -> String {
    """
    DO $$ BEGIN
      FOR n IN 1..1000 LOOP
        EXIT WHEN (SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted) >= \(count);
        PERFORM pg_sleep(0.01);
      END LOOP;
    END $$
    """
  }

  @Test("runs statements without compiling them")
  func compiling() async throws {
    let store = try await PostgreSQLStore(url, connections: 1)
    let (key, owner) = (TreeKey(kind: "compiling", id: "\(UInt64.random(in: .min ... .max))"), TreeOwner())
    #expect(try await store.renew(owner, for: .seconds(10)))
    #expect(try await store.revive(owner, for: .seconds(10), holding: [:]) == [])
    let first = try await store.firstRecord(of: key, by: owner)
    #expect(try await store.save([first]).isEmpty)
    _ = try await store.due(key.kind, limit: 10, schema: 1)
    try await store.cleanUp()
    // The compiler is a library that a session loads when it needs it.
    let compiling = """
      SELECT count(*) FROM pg_stat_activity
       WHERE application_name = 'swift-ribs' AND pg_read_file('/proc/' || pid || '/maps') LIKE '%llvmjit%'
      """
    #expect(try Database.run(compiling) == ["0"])
    await store.close()
  }

  @Test("does not take a tree from an owner whose renewal commits while the claim waits")
  func renewalDuringClaim() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(120))
    let key = TreeKey(kind: "renewal", id: "\(UInt64.random(in: .min ... .max))")
    let holder = TreeOwner(address: "holder-\(key.id)")
    #expect(try await store.renew(holder, for: .zero))
    let fence = try await store.claimed(key, by: holder).fence
    let session = try Session()
    // The lease has ended, and a renewal that began before is not yet committed.
    try session.run(
      "BEGIN; UPDATE ribs_owner SET expires_at = clock_timestamp() + interval '1 hour' WHERE id = '\(holder.id)'")
    let claim = Task { try await store.claim(key, by: TreeOwner(), schema: 1) }
    try session.run("\(Self.untilCallsWait()); COMMIT")
    #expect(try await claim.value == .elsewhere(address: holder.address))
    // The owner is not disturbed.
    #expect(try await store.save([.sample(key, fence: fence, version: 1, "saved")]).isEmpty)
    #expect(try await store.renew(holder, for: .seconds(60)))
    // A renewal that has committed since the lease ended is seen, too; and a lease that has ended is.
    try setLease(of: holder, endsIn: 0)
    #expect(try await store.claimed(key).fence > fence)
    try session.end()
    await store.close()
  }

  @Test("renews no lease that has ended while the renewal waits for a claim")
  func claimDuringRenewal() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(120))
    let holder = TreeOwner(address: "renewing-\(UInt64.random(in: .min ... .max))")
    #expect(try await store.renew(holder, for: .seconds(60)))
    try setLease(of: holder, endsIn: 1)
    let session = try Session()
    // As a claim does that finds the lease ended.
    try session.run("BEGIN; SELECT FROM ribs_owner WHERE id = '\(holder.id)' FOR SHARE")
    let renewal = Task { try await store.renew(holder, for: .seconds(60)) }
    try session.run("\(Self.untilCallsWait()); SELECT pg_sleep(1); COMMIT")
    #expect(try await !renewal.value)
    try session.end()
    await store.close()
  }

  @Test("saves and claims the other trees while another transaction has locked a row")
  func lockedRow() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(4))
    let kind = "locked-\(UInt64.random(in: .min ... .max))"
    let owner = TreeOwner()
    var records: [TreeRecord] = []
    for id in 0..<20 {
      let key = TreeKey(kind: kind, id: "\(id)")
      records.append(try await store.firstRecord(of: key, by: owner))
    }
    let session = try Session()
    try session.run("BEGIN; SELECT FROM ribs_tree WHERE kind = '\(kind)' AND id = '7' FOR UPDATE")
    let shared = await #expect(throws: PostgreSQLError.self) { try await store.save(records) }
    #expect(shared?.description.contains("\(kind)/7 are locked") == true)
    let saved = try Database.run("SELECT count(*) FROM ribs_tree WHERE kind = '\(kind)' AND document = 'saved'")
    #expect(saved == ["19"])
    let alone = await #expect(throws: PostgreSQLError.self) { try await store.save([records[7]]) }
    #expect(alone?.description.contains("55P03") == true)
    // Twice: the second time, the locked one does not share the commit of the others.
    for _ in 0..<2 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for record in records {
          group.addTask {
            if record.key.id == "7" {
              let error = await #expect(throws: PostgreSQLError.self) {
                _ = try await store.claimed(record.key, by: owner)
              }
              #expect(error?.description.contains("55P03") == true)
            } else {
              let saved = try await store.claimed(record.key, by: owner).saved
              #expect(saved?.document == Array("saved".utf8))
            }
          }
        }
        try await group.waitForAll()
      }
    }
    try session.run("COMMIT")
    try session.end()
    #expect(try await store.save([records[7]]).isEmpty)
    #expect(try await store.claimed(records[7].key, by: owner).saved?.document == Array("saved".utf8))
    await store.close()
  }

  @Test("writes most versions of a row into its page, beside a transaction that keeps them all")
  func versionsInPlace() async throws {
    let store = try await PostgreSQLStore(url)
    let kind = "versions-\(UInt64.random(in: .min ... .max))"
    let owner = TreeOwner()
    var records: [TreeRecord] = []
    for id in 0..<20 { records.append(try await store.firstRecord(of: TreeKey(kind: kind, id: "\(id)"), by: owner)) }
    let session = try Session()
    try session.run("BEGIN; SELECT pg_current_xact_id()")
    let pages = "SELECT (ctid::text::point)[0] FROM ribs_tree WHERE kind = '\(kind)' ORDER BY id"
    var before: [String]?
    var moves = 0
    for version in 1...60 {
      #expect(
        try await store.save(
          records.map { .sample($0.key, fence: $0.fence, version: UInt64(version), "saved") }
        ).isEmpty)
      let now = try Database.run(pages)
      moves += zip(before ?? now, now).count { $0 != $1 }
      before = now
    }
    try session.run("COMMIT")
    try session.end()
    // 420 of 1,180 if pages are filled to 60 %.
    #expect(moves < 200)
    await store.close()
  }

  @Test("refuses a connection with the session of another one, as behind a pooler that does not keep them apart")
  func sharedSession() async throws {
    await (try await PostgreSQLStore(url, connections: 1)).close()
    let schema = "shared_\(UInt32.random(in: .min ... .max))"
    // In front of the server's own view and function.
    try Database.run(
      """
      CREATE SCHEMA \(schema);
      CREATE FUNCTION \(schema).pg_backend_pid() RETURNS int LANGUAGE sql AS 'SELECT 1';
      CREATE VIEW \(schema).pg_stat_activity AS SELECT 1 AS pid, 'epoch'::timestamptz AS backend_start
      """)
    let store = try await PostgreSQLStore(
      "\(url)?options=-csearch_path%3D\(schema),pg_catalog,public", timeout: .seconds(60))
    let record = try await store.firstRecord(of: TreeKey(kind: schema, id: "1"))
    let session = try Session()
    try session.run("BEGIN; SELECT FROM ribs_tree WHERE kind = '\(schema)' FOR UPDATE")
    // The first connection waits for the row.
    let save = Task { try await store.save([record]) }
    try session.run(Self.untilCallsWait())
    await #expect(throws: PostgreSQLError.sharedSession) { _ = try await store.contains(record.key) }
    try session.run("COMMIT")
    try session.end()
    #expect(try await save.value.isEmpty)
    await store.close()
    try Database.run("DROP SCHEMA \(schema) CASCADE")
  }

  /// The number of connections of stores that were opened since a time of the server.
  private static func sessions(since time: String) throws -> Int {
    let sessions = "application_name = 'swift-ribs' AND backend_start >= '\(time)'"
    return try Int(Database.run("SELECT count(*) FROM pg_stat_activity WHERE \(sessions)")[0]) ?? 0
  }

  @Test(
    "uses the Kerberos library only where a connection string or a service file may want it",
    arguments: [
      ("postgres://server/trees", true), ("host=server dbname=trees", true),
      ("postgres://server/trees?gssencmode=prefer", false), ("service=trees", false),
    ])
  func kerberos(_ string: String, isDisabled: Bool) throws {
    let defaults = Connection.defaults(beside: try Connection.parameters(of: string))
    #expect(defaults.map { "\($0.name)=\($0.value)" } == (isDisabled ? ["gssencmode=disable"] : []))
  }

  @Test("renews a lease while all other calls wait")
  func renewalBesideWaitingCalls() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(160))
    let (kind, owner) = ("busy-\(UInt64.random(in: .min ... .max))", TreeOwner())
    var records: [TreeRecord] = []
    for id in 0..<6 { records.append(try await store.firstRecord(of: TreeKey(kind: kind, id: "\(id)"), by: owner)) }
    let session = try Session()
    try session.run("BEGIN; SELECT FROM ribs_tree WHERE kind = '\(kind)' FOR UPDATE")
    let isAnswered = Flag()
    let saves = records.map { record in
      Task {
        defer { isAnswered.value.store(true, ordering: .relaxed) }
        return try await store.save([record])
      }
    }
    try session.run(Self.untilCallsWait(3))
    #expect(try await store.renew(owner, for: .seconds(60)))
    let isLate = isAnswered.value.load(ordering: .relaxed)
    #expect(!isLate)
    try session.run("COMMIT")
    try session.end()
    for save in saves { #expect(try await save.value.isEmpty) }
    await store.close()
  }

  @Test("closes the connections that few calls don't need, and opens them again")
  func idleConnections() async throws {
    let time = try Database.run("SELECT clock_timestamp()")[0]
    let store = try await PostgreSQLStore(url, timeout: .seconds(60), idleAfter: .seconds(1))
    let kind = "idle-\(UInt64.random(in: .min ... .max))"
    var records: [TreeRecord] = []
    for id in 0..<3 { records.append(try await store.firstRecord(of: TreeKey(kind: kind, id: "\(id)"))) }
    /// For at most a minute.
    func wait(forSessions count: Int, meanwhile call: () async throws -> Void = {}) async throws {
      let end = ContinuousClock.now + .seconds(60)
      while try Self.sessions(since: time) != count {
        try #require(ContinuousClock.now < end, "There are not \(count) sessions.")
        try await call()
      }
    }
    let key = records[0].key
    for _ in 0..<2 {
      // Three calls at once.
      let session = try Session()
      try session.run("BEGIN; SELECT FROM ribs_tree WHERE kind = '\(kind)' FOR UPDATE")
      let saves = records.map { record in Task { try await store.save([record]) } }
      try await wait(forSessions: 3)
      try session.run("COMMIT")
      try session.end()
      for save in saves { #expect(try await save.value.isEmpty) }
      // Two at once, far more often than a connection is given up, which take turns with one.
      try await wait(forSessions: 1) {
        async let first = store.contains(key)
        async let second = store.contains(key)
        _ = try await (first, second)
      }
    }
    await store.close()
    try await wait(forSessions: 0)
  }

  @Test("saves trees whose rows are not where they were written last")
  func movedRows() async throws {
    let store = try await PostgreSQLStore(url)
    try Database.run("TRUNCATE ribs_tree")
    let (owner, fence) = (TreeOwner(), UInt64(1))
    let keys = (0..<4).map { TreeKey(kind: "moved", id: "\($0)") }
    for key in keys { _ = try await store.claimed(key, by: owner) }
    try Database.run("UPDATE ribs_tree SET fence = \(fence)")
    func save(version: UInt64) async throws -> Set<TreeKey> {
      try await store.save(keys.map { .sample($0, fence: fence, version: version, "\($0.id) \(version)") })
    }
    func documents() throws -> [String] {
      try Database.run("SELECT convert_from(document, 'UTF8') FROM ribs_tree WHERE kind = 'moved' ORDER BY id")
    }
    func places() throws -> [String] {
      try Database.run("SELECT (ctid::text::point)[1] FROM ribs_tree WHERE kind = 'moved' ORDER BY id")
    }
    #expect(try await save(version: 1).isEmpty)
    let before = try places()
    // Each row is where another one was.
    try Database.run(
      """
      BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM ribs_tree; TRUNCATE ribs_tree;
      ALTER TABLE ribs_tree SET (fillfactor = 100);
      INSERT INTO ribs_tree (kind, id) SELECT 'other', n FROM generate_series(1, \(before[0]) - 1) n;
      INSERT INTO ribs_tree SELECT * FROM kept ORDER BY id DESC;
      ALTER TABLE ribs_tree SET (fillfactor = 10); COMMIT
      """)
    #expect(try places() == before.reversed())
    #expect(try await save(version: 2).isEmpty)
    #expect(try documents() == ["0 2", "1 2", "2 2", "3 2"])
    // In place, one that another owner has, and one that has a newer version.
    try setLease(of: owner, endsIn: 0)
    _ = try await store.claimed(keys[2])
    try Database.run("UPDATE ribs_tree SET version = 9 WHERE kind = 'moved' AND id = '3'")
    #expect(try await save(version: 3) == [keys[2]])
    #expect(try documents() == ["0 3", "1 3", "2 2", "3 2"])
    await store.close()
  }

  @Test("migrates without a time limit, while the tables are written, and replaces an index that was left unfinished")
  func slowMigration() async throws {
    let url = url
    await (try await PostgreSQLStore(url, timeout: .seconds(60))).close()
    try Database.run(
      """
      DELETE FROM ribs_migration WHERE number >= 2; DROP INDEX ribs_tree_awake_owner;
      CREATE INDEX ribs_tree_awake_owner ON ribs_tree (kind); CREATE INDEX ribs_tree_awake ON ribs_tree (kind)
      """)
    let session = try Session()
    // The index has to wait for this transaction.
    try session.run("BEGIN; LOCK TABLE ribs_tree IN ROW EXCLUSIVE MODE")
    let stores = (0..<2).map { _ in
      Task { try await PostgreSQLStore(url, connections: 1, timeout: .seconds(1)) }
    }
    // Longer than a statement and the wait for its response may take.
    try session.run(
      """
      DO $$ BEGIN
        FOR n IN 1..2000 LOOP
          PERFORM pg_stat_clear_snapshot();
          EXIT WHEN EXISTS (
            SELECT FROM pg_stat_activity
             WHERE query LIKE '%INDEX CONCURRENTLY%' AND state = 'active' AND pid <> pg_backend_pid()
               AND clock_timestamp() - query_start > interval '3 seconds');
          PERFORM pg_sleep(0.01);
        END LOOP;
      END $$
      """)
    try Database.run("UPDATE ribs_tree SET version = version")
    try session.run("COMMIT")
    for store in stores { await (try await store.value).close() }
    let indexes = try Database.run(
      "SELECT indexdef FROM pg_indexes WHERE tablename = 'ribs_tree' AND indexname LIKE 'ribs_tree_awake%'")
    #expect(indexes.count == 1)
    #expect(indexes.first?.contains("(kind, owner, id)") == true)
    #expect(try Database.run("SELECT count(*) FROM ribs_migration") == ["\(Statement.migrations.count)"])
    try session.end()
  }

  @Test("ends all claims in time when the server hangs, however many there are")
  func hungClaims() async throws {
    let store = try await repeated { try await PostgreSQLStore(url, timeout: .seconds(1)) }
    let kind = "hung-\(UInt64.random(in: .min ... .max))"
    // Before the server hangs, a busy machine may take longer than that.
    let patient = try await PostgreSQLStore(url, timeout: .seconds(60))
    _ = try await patient.claimed(TreeKey(kind: kind, id: "0"))
    let owner = TreeOwner()
    _ = try await patient.claimed(TreeKey(kind: kind, id: "1"), by: owner)
    try Database.control("stop")
    let start = ContinuousClock.now
    do {
      defer { #expect(throws: Never.self) { try Database.control("continue") } }
      await withTaskGroup(of: Void.self) { group in
        for id in 0..<64 {
          group.addTask {
            await #expect(throws: PostgreSQLError.self) {
              _ = try await store.claimed(TreeKey(kind: kind, id: "\(id)"), by: owner)
            }
          }
        }
      }
    }
    // Two batches, and not 64 claims.
    #expect(ContinuousClock.now - start < .seconds(20))
    await patient.close()
    await store.close()
  }

  @Test("says which permission is missing, of which user, and how to grant it")
  func permissions() async throws {
    let app = "app-\(UInt64.random(in: .min ... .max))"
    let asApp = url.replacing("ribs@", with: app + "@")
    func errorOfOpening() async throws -> String {
      do {
        await (try await PostgreSQLStore(asApp, connections: 1, timeout: .seconds(60))).close()
        return "none"
      } catch let error as PostgreSQLError {
        return error.description.replacing(app, with: "app")
      }
    }
    let grants = """
      GRANT SELECT, INSERT, UPDATE ON ribs_tree, ribs_owner TO "app"; GRANT SELECT ON ribs_migration TO "app"
      """
    let refused = "A statement has failed: "
    let owner = """
      The tables are created and changed by their owner, so open a store as that user once, and then run \(grants). \
      Or let this user own them: GRANT USAGE, CREATE ON SCHEMA public TO "app"
      """
    let none = "DROP TABLE IF EXISTS ribs_tree, ribs_owner, ribs_migration"
    try Database.run("\(none); CREATE ROLE \"\(app)\" LOGIN; REVOKE CREATE ON SCHEMA public FROM public")
    // No tables.
    #expect(try await errorOfOpening() == "\(refused)permission denied for schema public. \(owner) (SQLSTATE 42501)")
    try Database.run("REVOKE USAGE ON SCHEMA public FROM public")
    #expect(
      try await errorOfOpening()
        == "\(refused)no schema has been selected to create in. \(owner) (SQLSTATE 3F000)")
    try Database.run("GRANT USAGE ON SCHEMA public TO public")
    // The tables of another user.
    await (try await PostgreSQLStore(url, timeout: .seconds(60))).close()
    try Database.run("GRANT SELECT ON ribs_migration TO \"\(app)\"; GRANT SELECT, INSERT ON ribs_tree TO \"\(app)\"")
    #expect(
      try await errorOfOpening() == """
        \(refused)the user app lacks the permissions INSERT, SELECT, UPDATE on ribs_owner and UPDATE on ribs_tree. \
        Run this as the owner of the tables: GRANT INSERT, SELECT, UPDATE ON ribs_owner TO "app"; \
        GRANT UPDATE ON ribs_tree TO "app" (SQLSTATE 42501)
        """)
    try Database.run(grants.replacing("app", with: app))
    #expect(try await errorOfOpening() == "none")
    // Revoked while the store is open, and granted again.
    let store = try await PostgreSQLStore(asApp, timeout: .seconds(60))
    let key = TreeKey(kind: "permissions", id: app)
    let record = try await store.firstRecord(of: key)
    try Database.run("REVOKE UPDATE ON ribs_tree FROM \"\(app)\"")
    let revoked = await #expect(throws: PostgreSQLError.self) { try await store.save([record]) }
    #expect(
      revoked?.description.replacing(app, with: "app") == """
        \(refused)the user app lacks the permissions UPDATE on ribs_tree. Run this as the owner of the tables: \
        GRANT UPDATE ON ribs_tree TO "app" (SQLSTATE 42501)
        """)
    try Database.run("GRANT UPDATE ON ribs_tree TO \"\(app)\"")
    #expect(try await store.save([record]).isEmpty)
    await store.close()
    // The tables of another user, of the version before.
    try Database.run("ALTER TABLE ribs_owner DROP COLUMN lease; DELETE FROM ribs_migration WHERE number >= 4")
    let late = try await errorOfOpening()
    #expect(late.hasSuffix("\(owner) (SQLSTATE 42501)"), "\(late)")
    try Database.run("\(none); GRANT CREATE ON SCHEMA public TO \"\(app)\"")
    #expect(try await errorOfOpening() == "none")
    try Database.run("\(none); REVOKE CREATE ON SCHEMA public FROM \"\(app)\"; DROP ROLE \"\(app)\"")
  }

  @Test("refuses an ID that it can't hold, for ever, and does not fail as a whole", arguments: ["\0", "long"])
  func impossibleID(_ text: String) async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let health = StoreHealth(patience: .seconds(60))
    // Random, because an index compresses its entries.
    let id = text == "long" ? (0..<10_000).map { _ in "\(UInt8.random(in: .min ... .max))" }.joined() : text
    let failure = await #expect(throws: StoreFailure.self) {
      _ = try await health.observing(store).claim(TreeKey(kind: "impossible", id: id), by: TreeOwner(), schema: 1)
    }
    let error = try #require(failure?.reason as? PostgreSQLError)
    #expect(error.isPermanent && error.description.hasSuffix("Use a shorter ID, and none with a NUL."), "\(error)")
    #expect(health.reasonNotReady == nil)
    await store.close()
  }

  @Test("changes the tables while it is open, if those of an older backup are restored, or none")
  func olderTables() async throws {
    let store = try await PostgreSQLStore(url, timeout: .seconds(60))
    let kind = "older-\(UInt64.random(in: .min ... .max))"
    let older = "ALTER TABLE ribs_owner DROP COLUMN lease; DELETE FROM ribs_migration WHERE number >= 4"
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'swift-ribs'"
    for (id, change) in [
      older, "\(older); \(end)", "DROP TABLE ribs_tree, ribs_owner, ribs_migration",
    ].enumerated() {
      _ = try await store.claimed(TreeKey(kind: kind, id: "\(id)"))
      try Database.run(change)
      #expect(try await store.renew(TreeOwner(), for: .seconds(1)))
    }
    await store.close()
  }

  @Test("says of each failure what to do about it")
  func advice() {
    func statement(_ code: String) -> PostgreSQLError { .statement(code: code, message: "It") }
    for (error, advice) in [
      (PostgreSQLError.connectionString, "postgres://USER@HOST:PORT/DATABASE"), (.connection("It"), "pg_hba.conf"),
      (.timeout(.seconds(1)), "wait_event"), (.noFreeConnection(3, .seconds(1)), "pg_stat_activity"),
      (.unreplicated, "SyncRep"), (.sharedSession, "session mode"), (.closed, "after the last call"),
      (statement("55P03"), "pg_blocking_pids"), (statement("57014"), "wait_event"), (statement("25006"), "all hosts"),
      (statement("53100"), "Free space"), (statement("XX001"), "backup"), (statement("42703"), "backup"),
      (statement("26000"), "session mode"),
    ] { #expect(error.description.contains(advice), "\(error)") }
  }

  @Test(
    "has no part of the connection string in its errors",
    arguments: [
      "postgres://user:secret@127.0.0.1:1/none", "postgres://user:secret@127.0.0.1:1/none?x secret=1",
      "host=127.0.0.1 port=1 user=x password=secret", "host=127.0.0.1 password='secret", "password = a secret",
    ])
  func secrets(_ string: String) async throws {
    let error = await #expect(throws: PostgreSQLError.self) {
      _ = try await PostgreSQLStore(string, timeout: .milliseconds(100))
    }
    #expect(error?.description.contains("secret") == false)
    #expect("\(error as Any)".contains("secret") == false)
  }
}

final class Flag: Sendable { let value = Atomic(false) }

/// Repeats a call until it succeeds, for at most a minute.
func repeated<Value>(_ call: () async throws -> Value) async throws -> Value {
  let end = ContinuousClock.now + .seconds(60)
  while true {
    do {
      return try await call()
    } catch let error as PostgreSQLError {
      try Task.checkCancellation()
      if ContinuousClock.now >= end { throw error }
    }
  }
}

extension PostgreSQLStore {
  struct NotClaimed: Error {}

  func claimed(
    _ key: TreeKey, by owner: TreeOwner = TreeOwner()
  ) async throws -> (fence: UInt64, saved: SavedRecord?) {
    guard case .claimed(let fence, let saved) = try await claim(key, by: owner, schema: 1) else { throw NotClaimed() }
    return (fence, saved)
  }

  /// Claims a new tree.
  func firstRecord(
    of key: TreeKey, by owner: TreeOwner = TreeOwner(), _ text: String = "saved"
  ) async throws -> TreeRecord { .sample(key, fence: try await claimed(key, by: owner).fence, version: 1, text) }

  /// Saves a tree again and again, until a save is answered after the flag was set.
  func save(_ first: TreeRecord, until isDone: Flag, repeatsErrors: Bool = false) async throws {
    var version = first.version
    repeat {
      let record = TreeRecord.sample(first.key, fence: first.fence, version: version, "saved")
      let refused = repeatsErrors ? try await repeated { try await save([record]) } : try await save([record])
      #expect(refused.isEmpty)
      version += 1
    } while !isDone.value.load(ordering: .sequentiallyConsistent)
  }
}

extension TreeRecord {
  static func sample(_ key: TreeKey, fence: UInt64, version: UInt64, _ text: String) -> TreeRecord {
    TreeRecord(
      key: key, fence: fence, version: version, schema: 1, content: .document(Array(text.utf8)), isAwake: true,
      isReleased: false)
  }
}
