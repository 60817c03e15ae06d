// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import RIBs
import RIBsStore
import Testing

@testable import SQLiteStore

@Suite("The owners in SQLite")
struct OwnerTests {
  private typealias Counts = TreeDirectory<Int, Router<CountInteractor>>

  /// Counts in a tree of a directory without an address, as one process alone has it.
  ///
  /// - Returns: the count, and the rounds of the directory, in which the lease was renewed.
  private static func count(in store: SQLiteStore, at path: String) async throws -> (Int, Task<Void, Never>) {
    let counts = Counts("count", in: store, tree: { _ in TreeConfiguration(leakDetection: .off) }) { (_: Int) in
      Router(interactor: CountInteractor())
    }
    let count = try await counts.perform(on: 1) { $0.interactor.count() }
    let running = Task { await counts.run() }
    while try rest(path).values.allSatisfy({ $0 <= 0 }) { await Task.yield() }
    return (count, running)
  }

  @Test("answers at once after a store was closed under its directory, whose lease has not ended")
  func restart() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/trees.sqlite"
      let store = try await SQLiteStore(path: path)
      let (first, running) = try await OwnerTests.count(in: store, at: path)
      #expect(first == 1)
      let lease = try rest(path)
      #expect(lease[""].map { $0 > 0 } == true, "\(lease)")
      await store.close()
      running.cancel()
      try await OwnerTests.expectSecondCount(at: path)
    }
  }

  @Test("answers at once after its process was killed")
  func killed() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/trees.sqlite"
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let (first, _) = try await OwnerTests.count(in: try await SQLiteStore(path: path), at: path)
        #expect(first == 1)
        kill(getpid(), SIGKILL)
      }
      try await OwnerTests.expectSecondCount(at: path)
    }
  }

  /// Opens the store again, which must find the tree at once, and counts in it.
  private static func expectSecondCount(at path: String) async throws {
    let start = ContinuousClock.now
    let store = try await SQLiteStore(path: path)
    #expect(try await store.renew(TreeOwner(), for: .seconds(10)))
    #expect(try await store.due("count", limit: 10, schema: 1).map(\.id) == ["1"])
    // The lease of the first directory is ten seconds.
    #expect(ContinuousClock.now - start < .seconds(8))
    let counts = Counts("count", in: store, tree: { _ in TreeConfiguration(leakDetection: .off) }) { (_: Int) in
      Router(interactor: CountInteractor())
    }
    #expect(try await counts.perform(on: 1) { $0.interactor.count() } == 2)
    await store.close()
  }

  @Test("finds the trees of a dead process at once, and none of a living one")
  func due() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/trees.sqlite"
      var stores: [SQLiteStore] = []
      for _ in 0..<3 { stores.append(try await SQLiteStore(path: path)) }
      // Two owners of each of the first two stores.
      let owners = (0..<4).map { _ in TreeOwner() }
      for (number, owner) in owners.enumerated() {
        let store = stores[number / 2]
        #expect(try await store.renew(owner, for: .seconds(3_600)))
        let key = TreeKey(kind: "owned", id: "\(number)")
        #expect(try await store.save([store.firstRecord(of: key, by: owner, [1])]).isEmpty)
      }
      let other = TreeOwner()
      func renewedAndDue() async throws -> [String] {
        #expect(try await stores[2].renew(other, for: .seconds(3_600)))
        return try await stores[2].due("owned", limit: 10, schema: 1).map(\.id).sorted()
      }
      #expect(try await renewedAndDue() == [])
      await stores[0].close()
      #expect(try await renewedAndDue() == ["0", "1"])
      #expect(try await !stores[1].renew(owners[0], for: .seconds(3_600)))
      #expect(try await stores[1].renew(owners[2], for: .seconds(3_600)))
      #expect(try await renewedAndDue() == ["0", "1"])
      let third = TreeKey(kind: "owned", id: "2")
      #expect(try await stores[2].claim(third, by: other, schema: 1) == .elsewhere(address: ""))
      await stores[1].close()
      // A claim finds out too, before the next renewal.
      let saved = SavedRecord(version: 1, schema: 1, document: [1], isAwake: true)
      #expect(try await stores[2].claim(third, by: other, schema: 1) == .claimed(fence: 2, saved: saved))
      // So does one by a new owner.
      let taker = TreeOwner()
      let claim = try await stores[2].claim(TreeKey(kind: "owned", id: "3"), by: taker, schema: 1)
      #expect(claim == .claimed(fence: 2, saved: saved))
      #expect(try await stores[2].renew(taker, for: .seconds(3_600)))
      #expect(try await renewedAndDue() == ["0", "1"])
      await stores[2].close()
    }
  }

  @Test("judges owners by their leases alone if their lock is in another file, or if they have none")
  func otherFile() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/trees.sqlite"
      let stores = [try await SQLiteStore(path: path)]
      let key = TreeKey(kind: "owned", id: "1")
      let owner = TreeOwner(address: "first")
      #expect(try await stores[0].renew(owner, for: .seconds(3_600)))
      #expect(try await stores[0].claim(key, by: owner, schema: 1) == .claimed(fence: 1, saved: nil))
      try FileManager.default.removeItem(atPath: path + "-owners")
      let next = try await SQLiteStore(path: path)
      #expect(try await next.claim(key, by: TreeOwner(), schema: 1) == .elsewhere(address: "first"))
      await stores[0].close()
      #expect(try await next.claim(key, by: TreeOwner(), schema: 1) == .elsewhere(address: "first"))
      try run("UPDATE ribs_owner SET lock_file = NULL", in: path)
      #expect(try await next.claim(key, by: TreeOwner(), schema: 1) == .elsewhere(address: "first"))
      await next.close()
    }
  }

  @Test("shortens leases that were renewed before the clock was set back, and none of a program of before")
  func clockSetBack() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/trees.sqlite"
      let store = try await SQLiteStore(path: path)
      let (dead, living) = (TreeOwner(address: "dead"), TreeOwner(address: "living"))
      #expect(try await store.renew(dead, for: .seconds(10)))
      #expect(try await store.renew(living, for: .seconds(3_600)))
      // As they would be if the clock had been two hours ahead, and a program of before had renewed the third one.
      try run("UPDATE ribs_owner SET expires_at = expires_at + 7200000 WHERE address = 'dead'", in: path)
      try run("INSERT INTO ribs_owner (id, address) VALUES ('old', 'old')", in: path)
      try run(
        """
        UPDATE ribs_owner SET expires_at = (julianday('now') - 2440587.5) * 86400000 + 7200000
         WHERE id = 'old' AND (expires_at IS NULL OR expires_at > (julianday('now') - 2440587.5) * 86400000)
        """, in: path)
      let before = try rest(path)
      #expect(before["dead"].map { $0 > 7_000_000 } == true, "\(before)")
      #expect(try await store.renew(TreeOwner(address: "other"), for: .seconds(20)))
      let after = try rest(path)
      #expect(after["dead"].map { $0 <= 10_000 } == true, "\(after)")
      #expect(after["living"].map { $0 > 3_000_000 } == true, "\(after)")
      #expect(after["old"].map { $0 > 7_000_000 } == true, "\(after)")
      // A lease that was shortened is renewed as before: its owner may live.
      #expect(try await store.renew(dead, for: .seconds(10)))
      await store.close()
    }
  }

  @Test("adds the columns of leases to a database of before, and programs of before go on with it")
  func columnsOfLeases() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/trees.sqlite"
      try run(
        """
        CREATE TABLE ribs_owner (id TEXT PRIMARY KEY NOT NULL, address TEXT NOT NULL, expires_at REAL) WITHOUT ROWID;
        CREATE TABLE ribs_tree (
          kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT, fence INTEGER NOT NULL DEFAULT 1,
          version INTEGER NOT NULL DEFAULT 0, schema INTEGER NOT NULL DEFAULT 0, is_awake INTEGER NOT NULL DEFAULT 0,
          document BLOB, starts INTEGER NOT NULL DEFAULT 0, last_start TEXT NOT NULL DEFAULT '',
          is_quarantined INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (kind, id));
        CREATE INDEX ribs_tree_awake ON ribs_tree (kind, id) WHERE is_awake;
        CREATE INDEX ribs_tree_quarantined ON ribs_tree (kind, id) WHERE is_quarantined;
        PRAGMA user_version = 2;
        INSERT INTO ribs_owner VALUES ('old', 'old', (julianday('now') - 2440587.5) * 86400000 + 3600000);
        INSERT INTO ribs_tree (kind, id, owner, version, schema, document) VALUES ('owned', '1', 'old', 7, 1, x'01');
        """, in: path)
      let store = try await SQLiteStore(path: path)
      let key = TreeKey(kind: "owned", id: "1")
      let owner = TreeOwner(address: "new")
      #expect(try await store.renew(owner, for: .seconds(3_600)))
      #expect(try await store.claim(key, by: owner, schema: 1) == .elsewhere(address: "old"))
      // A program of before renews its lease, and ends it.
      try run(
        """
        INSERT INTO ribs_owner (id, address) VALUES ('old', 'old') ON CONFLICT DO NOTHING;
        UPDATE ribs_owner SET expires_at = (julianday('now') - 2440587.5) * 86400000
         WHERE id = 'old' AND (expires_at IS NULL OR expires_at > (julianday('now') - 2440587.5) * 86400000);
        """, in: path)
      let saved = SavedRecord(version: 7, schema: 1, document: [1], isAwake: false)
      #expect(try await store.claim(key, by: owner, schema: 1) == .claimed(fence: 2, saved: saved))
      // A program of before sees the lease of the new one.
      #expect(try rest(path)["new"].map { $0 > 3_000_000 } == true)
      await store.close()
    }
  }
}

/// A number that is saved.
private final class CountInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable { var number = 0 }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  func count() -> Int {
    savedState.number += 1
    return savedState.number
  }
}

/// Runs SQL in a connection of its own, and returns the rows.
@discardableResult
private func run(_ sql: String, in path: String) throws -> [[String]] {
  struct Failed: Error { let sql: String }
  var database: OpaquePointer?
  defer { sqlite3_close(database) }
  guard sqlite3_open(path, &database) == SQLITE_OK else { throw Failed(sql: sql) }
  sqlite3_busy_timeout(database, 60_000)
  var rows: [[String]] = []
  let code = withUnsafeMutablePointer(to: &rows) { pointer in
    sqlite3_exec(
      database, sql,
      { rows, count, values, _ in
        let row = (0..<Int(count)).map { values?[$0].map { String(cString: $0) } ?? "" }
        rows?.assumingMemoryBound(to: [[String]].self).pointee.append(row)
        return 0
      }, pointer, nil)
  }
  guard code == SQLITE_OK else { throw Failed(sql: sql) }
  return rows
}

/// How long each lease holds, in milliseconds, by the address of its owner.
private func rest(_ path: String) throws -> [String: Double] {
  let rows = try run(
    "SELECT address, expires_at - (julianday('now') - 2440587.5) * 86400000 FROM ribs_owner", in: path)
  return Dictionary(rows.map { ($0[0], Double($0[1]) ?? 0) }, uniquingKeysWith: max)
}
