// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@testable import SQLiteStore

@Suite("The store in SQLite")
struct SQLiteStoreTests {
  @Test("fulfills the contract of stores")
  func conformance() async throws {
    try await withTemporaryDirectory { directory in
      await expectConformance(of: { try await SQLiteStore(path: directory + "/trees.sqlite") }) { store in
        await store.close()
        return try await SQLiteStore(path: directory + "/trees.sqlite")
      }
    }
  }

  @Test("has one writer of a tree when two connections claim and save it at the same time")
  func twoConnections() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/trees.sqlite"
      let stores = [
        try await SQLiteStore(path: path, busyTimeout: .seconds(60)),
        try await SQLiteStore(path: path, busyTimeout: .seconds(60)),
      ]
      let key = TreeKey(kind: "count", id: "1")
      // Each adds one to what its claim returned. A save that overwrites another one's loses a number.
      let saved = try await withThrowingTaskGroup(of: Int.self) { group in
        for store in stores {
          group.addTask {
            var saved = 0
            for _ in 0..<50 {
              guard case .claimed(let fence, let record) = try await store.claim(key, by: TreeOwner(), schema: 1) else {
                continue
              }
              let count = record.map { Int(String(decoding: $0.document, as: UTF8.self)) ?? 0 } ?? 0
              let next = TreeRecord.sample(
                key, fence: fence, version: (record?.version ?? 0) + 1, Array("\(count + 1)".utf8))
              if try await store.save([next]).isEmpty { saved += 1 }
            }
            return saved
          }
        }
        return try await group.reduce(0, +)
      }
      let last = try await stores[0].claim(key, by: TreeOwner(), schema: 1)
      guard case .claimed(_, let record?) = last else { throw NoRecord() }
      #expect(record.document == Array("\(saved)".utf8))
      for store in stores { await store.close() }
    }
  }

  @Test("saves many trees in one commit")
  func groupCommit() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/trees.sqlite"
      let store = try await SQLiteStore(path: path)
      let owner = TreeOwner()
      var records: [TreeRecord] = []
      for id in 0..<100 {
        let key = TreeKey(kind: "order", id: "\(id)")
        records.append(try await store.firstRecord(of: key, by: owner, Array("document".utf8)))
      }
      let before = try SQLiteStoreTests.commits(in: path + "-wal")
      for record in records { #expect(try await store.save([record]).isEmpty) }
      let afterSingleSaves = try SQLiteStoreTests.commits(in: path + "-wal")
      #expect(try await store.save(records).isEmpty)
      let afterOneSave = try SQLiteStoreTests.commits(in: path + "-wal")
      #expect(afterSingleSaves - before == 100)
      #expect(afterOneSave - afterSingleSaves == 1)
      await store.close()
    }
  }

  /// The number of commits in a log: the frames that have the size of the database.
  private static func commits(in log: String) throws -> Int {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: log)))
    func integer(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    let frame = 24 + integer(8)
    return stride(from: 32, through: bytes.count - frame, by: frame)
      // A frame of an earlier round of the log has other salts.
      .filter { bytes[$0 + 8..<$0 + 16] == bytes[16..<24] && integer($0 + 4) > 0 }.count
  }

  @Test("saves documents of several megabytes")
  func largeDocument() async throws {
    try await withTemporaryDirectory { directory in
      let store = try await SQLiteStore(path: directory + "/trees.sqlite")
      let document = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let key = TreeKey(kind: "large", id: "1")
      #expect(try await store.save([store.firstRecord(of: key, document)]).isEmpty)
      guard case .claimed(_, let saved?) = try await store.claim(key, by: TreeOwner(), schema: 1) else {
        throw NoRecord()
      }
      #expect(saved.document == document)
      await store.close()
    }
  }

  @Test("fails all calls that wait together when another process keeps the write lock")
  func busy() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/trees.sqlite"
      let store = try await SQLiteStore(path: path, busyTimeout: .milliseconds(500))
      var other: OpaquePointer?
      try #require(sqlite3_open(path, &other) == SQLITE_OK)
      defer { sqlite3_close(other) }
      try #require(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
      let start = ContinuousClock.now
      await withTaskGroup(of: Void.self) { group in
        for id in 0..<40 {
          group.addTask {
            await #expect(throws: SQLiteError.self) {
              _ = try await store.claim(TreeKey(kind: "busy", id: "\(id)"), by: TreeOwner(), schema: 1)
            }
          }
        }
      }
      // A few waits, and not 40.
      #expect(ContinuousClock.now - start < .seconds(10))
      try #require(sqlite3_exec(other, "COMMIT", nil, nil, nil) == SQLITE_OK)
      let claim = try await store.claim(TreeKey(kind: "busy", id: "1"), by: TreeOwner(), schema: 1)
      #expect(claim == .claimed(fence: 1, saved: nil))
      await store.close()
    }
  }

  @Test("finds the save that fails, and commits the others")
  func division() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/trees.sqlite"
      let store = try await SQLiteStore(path: path)
      var database: OpaquePointer?
      try #require(sqlite3_open(path, &database) == SQLITE_OK)
      defer { sqlite3_close(database) }
      let trigger = """
        CREATE TRIGGER refusal BEFORE UPDATE ON ribs_tree WHEN NEW.id = '40' AND NEW.document IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'refused'); END
        """
      try #require(sqlite3_exec(database, trigger, nil, nil, nil) == SQLITE_OK)
      var records: [TreeRecord] = []
      for number in 0..<64 {
        records.append(try await store.firstRecord(of: TreeKey(kind: "many", id: "\(number)"), [1]))
      }
      let failed = await withTaskGroup(of: TreeKey?.self) { group in
        for record in records {
          group.addTask { do { return try await store.save([record]).first } catch { return record.key } }
        }
        return await group.reduce(into: [TreeKey]()) { failed, key in if let key { failed.append(key) } }
      }
      #expect(failed == [TreeKey(kind: "many", id: "40")])
      await store.close()
      await #expect(throws: SQLiteError.self) { try await store.save([records[0]]) }
    }
  }

  @Test("adds the columns of starts to a database of before, and programs of before go on with it")
  func columnsOfStarts() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/trees.sqlite"
      var database: OpaquePointer?
      #expect(sqlite3_open(path, &database) == SQLITE_OK)
      defer { sqlite3_close(database) }
      func run(_ sql: String) { #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)") }
      run(
        """
        CREATE TABLE ribs_owner (id TEXT PRIMARY KEY NOT NULL, address TEXT NOT NULL, expires_at REAL) WITHOUT ROWID;
        CREATE TABLE ribs_tree (
          kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT, fence INTEGER NOT NULL DEFAULT 1,
          version INTEGER NOT NULL DEFAULT 0, schema INTEGER NOT NULL DEFAULT 0, is_awake INTEGER NOT NULL DEFAULT 0,
          document BLOB, PRIMARY KEY (kind, id));
        CREATE INDEX ribs_tree_awake ON ribs_tree (kind, id) WHERE is_awake;
        PRAGMA user_version = 1;
        INSERT INTO ribs_tree VALUES ('before', '1', 'dead', 4, 7, 1, 1, x'7361766564');
        """)
      let store = try await SQLiteStore(path: path)
      let key = TreeKey(kind: "before", id: "1")
      #expect(try await store.due("before", limit: 10, schema: 1) == [key])
      let saved = SavedRecord(version: 7, schema: 1, document: Array("saved".utf8), isAwake: true)
      #expect(try await store.claim(key, by: TreeOwner(), schema: 1) == .claimed(fence: 5, saved: saved))
      // The claim and the save of a program of before.
      run(
        """
        INSERT INTO ribs_tree AS t (kind, id, owner) VALUES ('before', '1', 'old') ON CONFLICT (kind, id) DO UPDATE SET
          owner = 'old', fence = t.fence + 1, version = CASE WHEN t.document IS NULL THEN 0 ELSE t.version END;
        UPDATE ribs_tree SET version = 8, owner = NULL, schema = 1, is_awake = 1, document = x'6161'
         WHERE kind = 'before' AND id = '1' AND fence = 6 AND version <= 8;
        """)
      let again = SavedRecord(
        version: 8, schema: 1, document: Array("aa".utf8), isAwake: true, unfinishedStarts: UnfinishedStarts(count: 1))
      #expect(try await store.claim(key, by: TreeOwner(), schema: 1) == .claimed(fence: 7, saved: again))
      try await store.note([TreeStart(key: key, fence: 7, state: .quarantined)])
      run("UPDATE ribs_tree SET fence = fence + 1, owner = NULL")
      #expect(try await store.quarantined("before") == [key: UnfinishedStarts(count: 1)])
      await store.close()
    }
  }

  @Test("adds the column of wake times to a database of before, finds them by an index, and old programs go on with it")
  func wakeTimes() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/trees.sqlite"
      var database: OpaquePointer?
      #expect(sqlite3_open(path, &database) == SQLITE_OK)
      defer { sqlite3_close(database) }
      func run(_ sql: String) { #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)") }
      func texts(_ sql: String, _ column: Int32) -> [String] {
        var statement: OpaquePointer?
        #expect(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
          texts.append(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL")
        }
        return texts
      }
      run(
        """
        CREATE TABLE ribs_owner (id TEXT PRIMARY KEY NOT NULL, address TEXT NOT NULL, expires_at REAL, lease REAL,
          lock_file INTEGER) WITHOUT ROWID;
        CREATE TABLE ribs_tree (
          kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT, fence INTEGER NOT NULL DEFAULT 1,
          version INTEGER NOT NULL DEFAULT 0, schema INTEGER NOT NULL DEFAULT 0, is_awake INTEGER NOT NULL DEFAULT 0,
          document BLOB, starts INTEGER NOT NULL DEFAULT 0, last_start TEXT NOT NULL DEFAULT '',
          is_quarantined INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (kind, id));
        CREATE INDEX ribs_tree_awake ON ribs_tree (kind, id) WHERE is_awake;
        CREATE INDEX ribs_tree_quarantined ON ribs_tree (kind, id) WHERE is_quarantined;
        PRAGMA user_version = 3;
        INSERT INTO ribs_tree (kind, id, fence, version, schema, document) VALUES ('before', '1', 4, 7, 1, x'61');
        """)
      let store = try await SQLiteStore(path: path)
      #expect(try await store.due("before", limit: 10, schema: 1) == [])
      let key = TreeKey(kind: "before", id: "1")
      let saved = SavedRecord(version: 7, schema: 1, document: Array("a".utf8), isAwake: false)
      #expect(try await store.claim(key, by: TreeOwner(), schema: 1) == .claimed(fence: 5, saved: saved))
      let time = WallTime.now - .seconds(1)
      let record = TreeRecord(
        key: key, fence: 5, version: 8, schema: 1, content: .unchanged, isAwake: false, wakes: time, isReleased: true)
      #expect(try await store.save([record]) == [])
      #expect(try await store.due("before", limit: 10, schema: 1) == [key])
      // The claim and the save of a program of before: the time stays, and the tree is woken once too often.
      run(
        """
        UPDATE ribs_tree SET owner = 'old', fence = 6;
        UPDATE ribs_tree SET version = 9, owner = NULL, schema = 1, is_awake = 0, document = x'6161' WHERE fence = 6;
        """)
      #expect(try await store.due("before", limit: 10, schema: 1) == [key])
      guard case .claimed(7, let again?) = try await store.claim(key, by: TreeOwner(), schema: 1) else {
        throw NoRecord()
      }
      #expect(again.wakes == time && again.document == Array("aa".utf8))
      // A million sleeping trees are not read.
      let plan = texts(
        """
        EXPLAIN QUERY PLAN SELECT id FROM ribs_tree WHERE kind = 'before' AND owner IS NULL AND NOT is_awake AND wakes_at <= 7
           AND NOT is_quarantined ORDER BY wakes_at LIMIT 10
        """, 3)
      #expect(plan == ["SEARCH ribs_tree USING INDEX ribs_tree_wakes (kind=? AND owner=? AND wakes_at<?)"])
      await store.close()
    }
  }

  @Test("finds the trees that are due in as many steps, however many trees a living owner has")
  func dueAmongMany() async throws {
    try await withTemporaryDirectory { directory in
      let database = try SQLiteDatabase(path: directory + "/trees.sqlite", busyTimeout: .seconds(60))
      let owner = TreeOwner()
      #expect(try database.renew(owner, for: .seconds(3_600)))
      func run(_ sql: String) { #expect(sqlite3_exec(database.connection, sql, nil, nil, nil) == SQLITE_OK, "\(sql)") }
      /// Inserts trees of which each second one is awake, and the time of the others has come.
      func insert(_ ids: Range<Int>, of owner: String) {
        run(
          """
          WITH RECURSIVE n (id) AS (VALUES (\(ids.lowerBound)) UNION ALL SELECT id + 1 FROM n WHERE id < \(ids.upperBound - 1))
          INSERT INTO ribs_tree (kind, id, owner, is_awake, wakes_at, document)
            SELECT 'many', id, \(owner), id % 2 = 0, id, x'61' FROM n
          """)
      }
      /// The steps of all statements, without those before.
      func steps() throws -> Int32 {
        #expect(try database.due("many", limit: 10, schema: 1).map(\.id) == ["2", "0", "1", "3"])
        var (steps, statement): (Int32, OpaquePointer?) = (0, sqlite3_next_stmt(database.connection, nil))
        while let next = statement {
          steps += sqlite3_stmt_status(next, SQLITE_STMTSTATUS_VM_STEP, 1)
          statement = sqlite3_next_stmt(database.connection, next)
        }
        return steps
      }
      insert(0..<2, of: "NULL")
      insert(2..<4, of: "'dead'")
      insert(10..<20, of: "'\(owner.id)'")
      _ = try steps()
      let few = try steps()
      insert(100..<2_100, of: "'\(owner.id)'")
      _ = try steps()
      #expect(try steps() == few)
    }
  }

  @Test("is opened by processes that start at the same time, also if there is no database yet")
  func openingAtOnce() async throws {
    try await withTemporaryDirectory { directory in
      for round in 0..<40 {
        try await withThrowingTaskGroup { group in
          for _ in 0..<4 { group.addTask { try await SQLiteStore(path: directory + "/\(round).sqlite") } }
          for try await store in group { await store.close() }
        }
      }
    }
  }

  @Test("does not fail as a whole because of a document that is too large")
  func tooLargeDocument() async throws {
    try await withTemporaryDirectory { directory in
      let store = try await SQLiteStore(path: directory + "/trees.sqlite")
      let health = StoreHealth(patience: .seconds(60))
      let record = try await store.firstRecord(of: TreeKey(kind: "large", id: "1"), [UInt8](repeating: 0, count: 2_000))
      try await withCheckedThrowingContinuation { continuation in
        store.thread.run([
          { database in
            sqlite3_limit(database.connection, SQLITE_LIMIT_LENGTH, 1_000)
            return {}
          }
        ]) { continuation.resume(with: $0.map { _ in }) }
      }
      let failure = await #expect(throws: StoreFailure.self) { try await health.observing(store).save([record]) }
      #expect("\(failure as Any)".contains("keep lists of data out of its state"))
      #expect(health.reasonNotReady == nil)
      await store.close()
    }
  }

  @Test("makes files that only their user can read")
  func modes() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/trees.sqlite"
      let store = try await SQLiteStore(path: path)
      _ = try await store.claim(TreeKey(kind: "mode", id: "1"), by: TreeOwner(), schema: 1)
      for suffix in ["", "-wal", "-shm", "-owners"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
      }
      await store.close()
    }
  }

  @Test("says which file can't be opened or was closed, and what to do")
  func errors() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/none/trees.sqlite"
      let error = await #expect(throws: SQLiteError.self) { _ = try await SQLiteStore(path: path) }
      #expect(error?.description.hasSuffix("(SQLite 14, \(path)). \(SQLiteStoreTests.folderAdvice)") == true)
      let file = directory + "/text.sqlite"
      try String(repeating: "no database", count: 100).write(toFile: file, atomically: true, encoding: .utf8)
      let text = await #expect(throws: SQLiteError.self) { _ = try await SQLiteStore(path: file) }
      #expect(text?.description.hasSuffix("\(file)). Restore the file from a backup, or use another path.") == true)
      let open = directory + "/trees.sqlite"
      let store = try await SQLiteStore(path: open)
      await store.close()
      let closed = await #expect(throws: SQLiteError.self) { _ = try await store.renew(TreeOwner(), for: .seconds(1)) }
      #expect(
        closed?.description
          == "The store was closed before this call (SQLite 0, \(open)). Close it after the last call.")
    }
  }

  private static let folderAdvice = """
    Create the folder of the file, and let the user of the process write both. If it can, raise the limit of open files, \
    such as with ulimit -n.
    """
}

struct NoRecord: Error {}

extension SQLiteStore {
  /// Claims a new tree.
  func firstRecord(
    of key: TreeKey, by owner: TreeOwner = TreeOwner(), _ document: [UInt8]
  ) async throws -> TreeRecord {
    guard case .claimed(let fence, nil) = try await claim(key, by: owner, schema: 1) else { throw NoRecord() }
    return .sample(key, fence: fence, version: 1, document)
  }
}

extension TreeRecord {
  fileprivate static func sample(_ key: TreeKey, fence: UInt64, version: UInt64, _ document: [UInt8]) -> TreeRecord {
    TreeRecord(
      key: key, fence: fence, version: version, schema: 1, content: .document(document), isAwake: true,
      isReleased: false)
  }
}
