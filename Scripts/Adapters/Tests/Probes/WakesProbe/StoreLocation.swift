// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import PostgreSQLStore
import RIBsStore
import SQLiteStore

/// Where trees are saved: the folder of a `FileStore`, the file of an SQLite database, or `postgres://…`.
struct StoreLocation {
  let text: String

  struct NotCopied: Error {
    let reason: String
  }

  var isPostgreSQL: Bool { text.hasPrefix("postgres") }
  private var isSQLite: Bool { text.hasSuffix(".sqlite") }
  var copiesTrees: Bool { isPostgreSQL || isSQLite }

  func open() async throws -> any TreeStore {
    if isPostgreSQL { return try await PostgreSQLStore(text, onWarning: { _ in }) }
    if isSQLite { return try await SQLiteStore(path: text) }
    return try FileStore(directory: text)
  }

  /// Copies the first tree by SQL, with the times of each.
  func copyTree(to count: Int, from first: Int64) throws {
    let columns = "kind, id, owner, fence, version, schema, is_awake, document, wakes_at"
    let time = "(\(first) + 10000000 * g / \(count))"
    if isPostgreSQL {
      let psql = Process()
      psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      psql.arguments = [
        "psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--command",
        """
        INSERT INTO ribs_tree (\(columns)) SELECT kind, g::text, owner, fence, version, schema, is_awake,
         convert_to(replace(convert_from(document, 'UTF8'), '\(first)', \(time)::text), 'UTF8'), \(time)
         FROM ribs_tree, generate_series(1::bigint, \(count - 1)) g WHERE id = '0'
        """,
      ]
      try psql.run()
      psql.waitUntilExit()
      guard psql.terminationStatus == 0 else { throw NotCopied(reason: "psql has failed") }
    } else if isSQLite {
      var database: OpaquePointer?
      defer { sqlite3_close(database) }
      let sql = """
        WITH RECURSIVE s(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM s WHERE g + 1 < \(count))
        INSERT INTO ribs_tree (\(columns)) SELECT kind, CAST(g AS TEXT), owner, fence, version, schema, is_awake,
         CAST(replace(CAST(document AS TEXT), '\(first)', \(time)) AS BLOB), \(time)
         FROM ribs_tree, s WHERE id = '0' AND g < \(count);
        -- The next process would read one large transaction again, which a store that saves one tree after the other has not.
        PRAGMA wal_checkpoint(TRUNCATE)
        """
      guard sqlite3_open(text, &database) == SQLITE_OK, sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
        throw NotCopied(reason: String(cString: sqlite3_errmsg(database)))
      }
    }
  }
}
