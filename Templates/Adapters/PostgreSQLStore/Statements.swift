// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore

/// A prepared statement with its parameters, in the binary format of PostgreSQL.
struct Statement: Sendable {
  let name: String
  let parameters: [Value]

  private init(_ name: String, _ parameters: Value...) { self.init(name, parameters) }
  private init(_ name: String, _ parameters: [Value]) { (self.name, self.parameters) = (name, parameters) }

  /// The statements by name.
  ///
  /// Each call is one statement, and so one transaction that ends with it. There is no pipeline: if several statements
  /// share a transaction, a process that stops before it has sent the last one holds the locks of the others; and single
  /// saves that are pipelined as transactions of their own are 2 % faster with three connections (`pgbench`), while a
  /// group of 100 in one statement is more than ten times as fast. Directories group saves, and `ClaimQueue` groups claims.
  static let sql = [
    "ping": "SELECT 1",

    "contains": "SELECT 1 FROM ribs_tree WHERE kind = $1 AND id = $2 AND document IS NOT NULL",

    // A new owner ends the lease of the one that had its address before, so that it is never revived.
    "meet": """
    WITH new AS (INSERT INTO ribs_owner (id, address) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1)
    UPDATE ribs_owner SET expires_at = '-infinity'
     WHERE address = $2 AND address <> '' AND id <> $1 AND EXISTS (SELECT FROM new)
    """,

    // A lease that has ended is never renewed. Shortens the leases that end later than their duration from now: they were
    // renewed before the clock was set back. Waits for no row after it has locked the owner's, so that there is no deadlock.
    // If the last renewal was long ago, the database was away, and the others are spared as by `revive`. Reads the time while
    // it has the lock of the row: a claim that has found the lease ended, and holds the lock, has come before.
    "renew": """
    WITH locked AS (SELECT id, expires_at, lease FROM ribs_owner WHERE id = $1 FOR NO KEY UPDATE),
    own AS (SELECT expires_at - lease AS renewed_at FROM locked WHERE \(wasRenewedLongAgo("locked"))),
    renewed AS (
      UPDATE ribs_owner o SET lease = $2::bigint * interval '1 microsecond',
             expires_at = clock_timestamp() + $2::bigint * interval '1 microsecond'
        FROM locked l
       WHERE o.id = l.id AND (l.expires_at IS NULL OR l.expires_at > clock_timestamp()) AND coalesce(l.lease >= '0', true)
      RETURNING 1),
    far AS (
      SELECT id FROM ribs_owner
       WHERE EXISTS (SELECT FROM renewed) AND expires_at > clock_timestamp() + lease AND lease > '0' AND id <> $1
         FOR UPDATE SKIP LOCKED),
    shortened AS (
      UPDATE ribs_owner o SET expires_at = clock_timestamp() + o.lease FROM far WHERE o.id = far.id),
    \(sparing(if: "renewed"))
    SELECT 1 FROM renewed
    """,

    // Waits for the claims that have found the lease ended, because they have locked the row, and later ones find it
    // renewed. So what was claimed meanwhile is committed when this is, and `taken`, which runs afterwards, finds it.
    "revive": """
    WITH own AS (SELECT expires_at - lease AS renewed_at FROM ribs_owner WHERE id = $1),
    revived AS (
      UPDATE ribs_owner SET lease = $2::bigint * interval '1 microsecond',
             expires_at = clock_timestamp() + $2::bigint * interval '1 microsecond'
       WHERE id = $1 AND coalesce(expires_at, 'infinity') > '-infinity' RETURNING 1),
    \(sparing(if: "revived"))
    SELECT 1 FROM revived
    """,

    // The trees whose latest claim has another fence.
    "taken": """
    SELECT s.kind, s.id FROM unnest($1::text[], $2::text[], $3::bigint[]) AS s(kind, id, fence)
      LEFT JOIN ribs_tree t ON t.kind = s.kind AND t.id = s.id WHERE t.fence IS DISTINCT FROM s.fence
    """,

    // Free trees, the owner's own, and those of owners whose lease has ended; in the order of their keys, as saves
    // do, so that there is no deadlock. An owner that was renewed long ago takes none from others: their renewals may be
    // waiting for a replica, as its own is, and this claim would wait with them and end their trees. The starts are -1 after
    // a claim that found none, so that it returns what was there before. The fence is the time in microseconds, or one more
    // than before: it does not repeat if the database forgets the last claims, as after a failover to a replica that has
    // missed them, or from a backup. Locks the rows of these owners: a renewal that commits meanwhile is then seen, and one
    // that comes later waits for this claim. A row without a fence says why a tree was not claimed. There is none if the
    // tree was made or released meanwhile.
    "claim": """
    WITH c AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS c(kind, id, owner, schema)),
    seen AS (SELECT DISTINCT t.owner FROM c JOIN ribs_tree t ON t.kind = c.kind AND t.id = c.id),
    ended AS (
      SELECT o.id FROM ribs_owner o
       WHERE o.id IN (SELECT owner FROM seen) AND coalesce(o.expires_at, '-infinity') <= clock_timestamp()
         AND NOT EXISTS (SELECT FROM c JOIN ribs_owner own ON own.id = c.owner WHERE \(wasRenewedLongAgo("own")))
       ORDER BY o.id FOR SHARE OF o),
    dead AS (
      SELECT id FROM ended
      UNION ALL SELECT owner FROM seen WHERE NOT EXISTS (SELECT FROM ribs_owner o WHERE o.id = seen.owner)),
    claimed AS (
      INSERT INTO ribs_tree AS t (kind, id, owner, schema, starts, fence)
      SELECT kind, id, owner, schema, -1, \(microseconds("clock_timestamp()")) FROM c ORDER BY kind COLLATE "C", id COLLATE "C"
      ON CONFLICT (kind, id) DO UPDATE SET owner = EXCLUDED.owner, fence = GREATEST(t.fence + 1, EXCLUDED.fence),
             version = CASE WHEN t.document IS NULL THEN 0 ELSE t.version END,
             starts = CASE t.starts WHEN 0 THEN -1 ELSE abs(t.starts) END
       WHERE NOT t.is_quarantined AND (t.document IS NULL OR t.schema <= EXCLUDED.schema)
         AND (t.owner IS NULL OR t.owner = EXCLUDED.owner OR EXISTS (SELECT FROM dead d WHERE d.id = t.owner))
      RETURNING kind, id, fence, version, schema, document, is_awake, starts, last_start, wakes_at)
    SELECT kind, id, fence, version, schema, document, NULL AS address, is_awake, starts::bigint, last_start,
           false AS is_quarantined, wakes_at FROM claimed
    UNION ALL
    SELECT t.kind, t.id, NULL, NULL, CASE WHEN t.document IS NULL THEN 0 ELSE t.schema END, NULL, o.address, NULL,
           abs(t.starts)::bigint, t.last_start, t.is_quarantined AND (t.document IS NULL OR t.schema <= c.schema), NULL
      FROM c JOIN ribs_tree t ON t.kind = c.kind AND t.id = c.id
      LEFT JOIN ribs_owner o ON o.id = t.owner AND o.id <> c.owner AND NOT EXISTS (SELECT FROM dead d WHERE d.id = o.id)
     WHERE NOT EXISTS (SELECT FROM claimed n WHERE n.kind = t.kind AND n.id = t.id)
    """,

    // Removed trees, in some pages of the table: an index would make each save slower. A row goes a day after it was first
    // found without a record and an owner, and was not claimed since: until then a removal may be repeated. Fences of
    // programs of before are no times, and their next one could be one of these; their rows stay.
    "cleanTrees": """
    WITH found AS (
      SELECT kind, id, coalesce(\(microseconds("removed_at")) >= fence, false) AS is_marked
        FROM ribs_tree TABLESAMPLE SYSTEM (
             LEAST(100, 100000.0 * current_setting('block_size')::int / GREATEST(pg_relation_size('ribs_tree'), 1)))
       WHERE document IS NULL AND owner IS NULL AND NOT is_quarantined
         AND fence BETWEEN 1000000000000000 AND \(microseconds("clock_timestamp()")) - $1::bigint
         AND (removed_at IS NULL OR \(microseconds("removed_at")) < fence
              OR removed_at < clock_timestamp() - $1::bigint * interval '1 microsecond')
       LIMIT 1000 FOR UPDATE SKIP LOCKED),
    marked AS (
      UPDATE ribs_tree t SET removed_at = clock_timestamp() FROM found f
       WHERE t.kind = f.kind AND t.id = f.id AND NOT f.is_marked)
    DELETE FROM ribs_tree t USING found f WHERE t.kind = f.kind AND t.id = f.id AND f.is_marked
    """,

    // Processes that have ended. A lease without a row is not renewed, and its trees can be claimed.
    "cleanOwners": """
    DELETE FROM ribs_owner o USING (
      SELECT id FROM ribs_owner WHERE expires_at < clock_timestamp() - $1::bigint * interval '1 microsecond'
       LIMIT 1000 FOR UPDATE SKIP LOCKED) f
     WHERE o.id = f.id
    """,

    "note": note(lock: "FOR UPDATE OF t"),

    // Skips the rows that other transactions have locked: these starts are not noted.
    "noteUnlocked": note(lock: "FOR UPDATE OF t SKIP LOCKED"),

    "quarantined": "SELECT id, abs(starts)::bigint, last_start FROM ribs_tree WHERE kind = $1 AND is_quarantined",

    "retry": """
    UPDATE ribs_tree SET is_quarantined = false, starts = 0, last_start = NULL
     WHERE kind = $1 AND id = $2 AND is_quarantined
    """,

    "save": save(lock: "FOR UPDATE OF t"),

    // Skips the rows that other transactions have locked, so that they don't hold up the others.
    "saveUnlocked": save(lock: "FOR UPDATE OF t SKIP LOCKED"),

    // Finds the rows where they were written last. The index has each version of a row that a long transaction keeps, such
    // as a backup, and a search by key reads them all. Writes the rows that are still there with the fence and a version that
    // is not newer, and that no other transaction has locked; returns these, and where they are now.
    "saveInPlace": """
    WITH \(records), places AS (SELECT * FROM unnest($1::text[], $2::text[], $11::tid[]) AS p(kind, id, place)),
    held AS (
      SELECT p.kind, p.id, t.ctid AS place
        FROM places p JOIN s ON s.kind = p.kind AND s.id = p.id
        JOIN ribs_tree t ON t.ctid = p.place AND t.kind = s.kind AND t.id = s.id AND t.fence = s.fence
         FOR UPDATE OF t SKIP LOCKED)
    UPDATE ribs_tree t SET \(assignments)
      FROM s JOIN held h ON h.kind = s.kind AND h.id = s.id
     WHERE t.ctid = h.place AND t.version <= s.version
    RETURNING t.kind, t.id, t.ctid
    """,

    // Looks at each owner once, by steps through the index, and not at the trees of those that live: their number does
    // not matter. The order makes the planner use the index also where few owners hold most trees: with ORDER BY id it
    // takes the primary key, and reads all trees that sleep. The time is a subquery, because the planner would not compare an
    // index with a function that changes.
    "due": """
    WITH RECURSIVE now AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS at),
    \(deadOwners("dead", of: "is_awake")),
    \(deadOwners("dead_asleep", of: "NOT is_awake AND wakes_at IS NOT NULL"))
    SELECT id FROM (
      (SELECT id, NULL::bigint AS wakes_at FROM ribs_tree
        WHERE kind = $1 AND is_awake AND owner IS NULL AND NOT is_quarantined AND schema <= $3
        ORDER BY owner, id LIMIT $2)
      UNION ALL
      (SELECT t.id, NULL FROM dead d CROSS JOIN LATERAL (
              SELECT id FROM ribs_tree WHERE kind = $1 AND is_awake AND owner = d.owner AND NOT is_quarantined AND schema <= $3
               ORDER BY id LIMIT $2) t
        LIMIT $2)
      UNION ALL
      (SELECT id, wakes_at FROM ribs_tree
        WHERE kind = $1 AND NOT is_awake AND owner IS NULL AND wakes_at <= (SELECT at FROM now) AND NOT is_quarantined
          AND schema <= $3
        ORDER BY owner, wakes_at LIMIT $2)
      UNION ALL
      (SELECT t.id, t.wakes_at FROM dead_asleep d CROSS JOIN LATERAL (
              SELECT id, wakes_at FROM ribs_tree
               WHERE kind = $1 AND NOT is_awake AND owner = d.owner AND wakes_at <= (SELECT at FROM now)
                 AND NOT is_quarantined AND schema <= $3
               ORDER BY wakes_at LIMIT $2) t
        ORDER BY t.wakes_at LIMIT $2)) trees
     ORDER BY wakes_at NULLS FIRST LIMIT $2
    """,
  ]

  /// Whether an owner has missed a renewal: it renews its lease after a third of it.
  private static func wasRenewedLongAgo(_ owner: String) -> String {
    "\(owner).expires_at - \(owner).lease < clock_timestamp() - \(owner).lease / 2"
  }

  /// The owners whose leases have ended since this one was last renewed have probably missed the database, too: it was
  /// away. They get three leases more, so that the first process that is back does not take the trees of all others, which
  /// may be trying hosts that don't respond. Their lease is negative until they are revived, because `renew` would not tell
  /// what was claimed before.
  ///
  /// - Parameter renewed: a table that is empty if the lease of this owner was not renewed.
  private static func sparing(if renewed: String) -> String {
    """
    missed AS (
      SELECT id FROM ribs_owner
       WHERE EXISTS (SELECT FROM \(renewed)) AND id <> $1 AND lease > '0' AND expires_at <= clock_timestamp()
         AND expires_at > (SELECT renewed_at FROM own)
         FOR UPDATE SKIP LOCKED),
    spared AS (
      UPDATE ribs_owner o SET expires_at = clock_timestamp() + 3 * o.lease, lease = - o.lease FROM missed
       WHERE o.id = missed.id)
    """
  }

  /// The owners of trees that fulfill a condition whose leases have ended.
  private static func deadOwners(_ name: String, of condition: String) -> String {
    """
    \(name)_all AS (
      (SELECT owner FROM ribs_tree WHERE kind = $1 AND \(condition) AND owner IS NOT NULL ORDER BY owner LIMIT 1)
      UNION ALL
      SELECT (SELECT owner FROM ribs_tree WHERE kind = $1 AND \(condition) AND owner > o.owner ORDER BY owner LIMIT 1)
        FROM \(name)_all o WHERE o.owner IS NOT NULL),
    \(name) AS (
      SELECT owner FROM \(name)_all a WHERE owner IS NOT NULL AND NOT EXISTS (
             SELECT FROM ribs_owner o WHERE o.id = a.owner AND o.expires_at > clock_timestamp()))
    """
  }

  /// A time since 1970, in microseconds.
  private static func microseconds(_ time: String) -> String { "(extract(epoch FROM \(time)) * 1000000)::bigint" }

  /// Locks the rows that have the fence, in the order of their keys, and writes those whose version is not newer. Returns
  /// the trees whose latest claim has the fence, whether their rows were locked, and where those are that were written.
  private static func save(lock: String) -> String {
    """
    WITH \(records),
    held AS (
      SELECT t.kind, t.id FROM s JOIN ribs_tree t ON t.kind = s.kind AND t.id = s.id AND t.fence = s.fence
       ORDER BY t.kind, t.id \(lock)),
    written AS (
      UPDATE ribs_tree t SET \(assignments)
        FROM s JOIN held h ON h.kind = s.kind AND h.id = s.id
       WHERE t.kind = s.kind AND t.id = s.id AND t.fence = s.fence AND t.version <= s.version
      RETURNING t.kind, t.id, t.ctid AS place)
    SELECT h.kind, h.id, true, w.place FROM held h LEFT JOIN written w ON w.kind = h.kind AND w.id = h.id
    UNION ALL
    SELECT t.kind, t.id, false, NULL FROM s JOIN ribs_tree t ON t.kind = s.kind AND t.id = s.id AND t.fence = s.fence
     WHERE NOT EXISTS (SELECT FROM held h WHERE h.kind = s.kind AND h.id = s.id)
    """
  }

  /// The records of a save as the table `s`. Places are a table of their own: with a column more, single saves are half as
  /// fast.
  private static let records = """
    s AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bytea[],
                           $8::boolean[], $9::boolean[], $10::bigint[])
        AS s(kind, id, fence, version, schema, content, document, is_awake, is_released, wakes_at))
    """

  /// What a save changes in the row `t`.
  private static let assignments = """
    version = s.version,
           schema = CASE s.content WHEN 'document' THEN s.schema ELSE t.schema END,
           document = CASE s.content WHEN 'document' THEN s.document WHEN 'unchanged' THEN t.document END,
           is_awake = s.is_awake AND (s.content = 'document' OR (s.content = 'unchanged' AND t.document IS NOT NULL)),
           wakes_at = CASE WHEN s.content = 'document' OR (s.content = 'unchanged' AND t.document IS NOT NULL)
                           THEN s.wakes_at END,
           owner = CASE WHEN s.is_released THEN NULL ELSE t.owner END, starts = 0, last_start = NULL
    """

  /// Locks the rows that have the fence, in the order of their keys, and changes what they say of the starts. A quarantine
  /// leaves the starts as they are.
  private static func note(lock: String) -> String {
    """
    WITH s AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::boolean[])
        AS s(kind, id, fence, starts, last_start, is_quarantined)),
    held AS (
      SELECT t.kind, t.id FROM s JOIN ribs_tree t ON t.kind = s.kind AND t.id = s.id AND t.fence = s.fence
       ORDER BY t.kind, t.id \(lock))
    UPDATE ribs_tree t SET starts = CASE WHEN s.is_quarantined THEN t.starts ELSE s.starts END,
           last_start = CASE WHEN s.is_quarantined THEN t.last_start ELSE s.last_start END,
           is_quarantined = t.is_quarantined OR s.is_quarantined,
           owner = CASE WHEN s.is_quarantined THEN NULL ELSE t.owner END
      FROM s JOIN held h ON h.kind = s.kind AND h.id = s.id
     WHERE t.kind = s.kind AND t.id = s.id AND t.fence = s.fence
    """
  }

  /// A change of the tables.
  enum Migration {
    /// Statements in a transaction.
    case transaction(String)
    /// Statements that each commit on their own, such as those that build an index while the table is written. A
    /// process may end between two: the next one starts with the first.
    case separate([String])
  }

  /// Each entry changes the tables that the one before has made. Add entries, and never change what one that has run has
  /// done. While a deployment runs, processes of the version before use the new tables: add columns with defaults, and
  /// remove columns one deployment later. Build indexes with `CONCURRENTLY`, after removing one that an earlier attempt
  /// may have left unfinished.
  static let migrations: [Migration] = [
    .transaction(
      """
      CREATE TABLE ribs_owner (
        id text COLLATE "C" PRIMARY KEY, address text COLLATE "C" NOT NULL, expires_at timestamptz);
      CREATE INDEX ribs_owner_address ON ribs_owner (address);
      CREATE TABLE ribs_tree (
        kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, owner text COLLATE "C",
        fence bigint NOT NULL DEFAULT 1, version bigint NOT NULL DEFAULT 0, schema bigint NOT NULL DEFAULT 0,
        is_awake boolean NOT NULL DEFAULT false, document bytea, PRIMARY KEY (kind, id)) WITH (fillfactor = 60);
      CREATE INDEX ribs_tree_awake ON ribs_tree (kind) WHERE is_awake;
      """),
    .separate([
      "DROP INDEX CONCURRENTLY IF EXISTS ribs_tree_awake_owner",
      "CREATE INDEX CONCURRENTLY ribs_tree_awake_owner ON ribs_tree (kind, owner, id) WHERE is_awake",
      "DROP INDEX CONCURRENTLY IF EXISTS ribs_tree_awake",
    ]),
    .separate([
      altering(
        """
        ALTER TABLE ribs_tree ADD COLUMN IF NOT EXISTS starts int NOT NULL DEFAULT 0,
          ADD COLUMN IF NOT EXISTS last_start text,
          ADD COLUMN IF NOT EXISTS is_quarantined boolean NOT NULL DEFAULT false
        """),
      "DROP INDEX CONCURRENTLY IF EXISTS ribs_tree_quarantined",
      "CREATE INDEX CONCURRENTLY ribs_tree_quarantined ON ribs_tree (kind, id) WHERE is_quarantined",
    ]),
    // How long the last renewal was; NULL for owners of programs of before.
    .separate([altering("ALTER TABLE ribs_owner ADD COLUMN IF NOT EXISTS lease interval")]),
    // A large document is written in a third of the time, during which PostgreSQL keeps the old versions of all other rows.
    // Documents that are there stay as they are. A server that was built without LZ4 goes on with its default.
    .separate([altering("ALTER TABLE ribs_tree ALTER document SET COMPRESSION lz4")]),
    // When a tree wakes, in microseconds since 1970; NULL for never, and for trees of programs of before. These leave it as it
    // is, so that a tree may be woken for a time of before: it sleeps again.
    .separate([
      altering("ALTER TABLE ribs_tree ADD COLUMN IF NOT EXISTS wakes_at bigint"),
      "DROP INDEX CONCURRENTLY IF EXISTS ribs_tree_wakes",
      """
      CREATE INDEX CONCURRENTLY ribs_tree_wakes ON ribs_tree (kind, owner, wakes_at)
       WHERE wakes_at IS NOT NULL AND NOT is_awake
      """,
    ]),
    // When a row was first found that has neither a record nor an owner.
    .separate([altering("ALTER TABLE ribs_tree ADD COLUMN IF NOT EXISTS removed_at timestamptz")]),
    // Nine of ten versions of a row fit into its page, and need no entry in the indexes. While a transaction stays open,
    // PostgreSQL keeps each version, and each new entry is compared with all that the primary key has of the tree: with pages
    // filled to 60 %, the saves of all trees become half as many. Pages that are there are filled as before.
    .separate([altering("ALTER TABLE ribs_tree SET (fillfactor = 10)")]),
  ]

  /// Changes a table in a way that needs no rewrite of it. A lock that waits for a long transaction would make all writers
  /// wait behind it, so this tries again and again. What the server does not support is left out.
  private static func altering(_ sql: String) -> String {
    """
    DO $$ BEGIN
      LOOP
        BEGIN
          SET LOCAL lock_timeout = '100ms';
          \(sql);
          RETURN;
        EXCEPTION
          WHEN lock_not_available THEN PERFORM pg_sleep(0.5);
          WHEN feature_not_supported THEN RETURN;
        END;
      END LOOP;
    END $$
    """
  }

  static let ping = Statement("ping")

  static func meet(_ owner: TreeOwner) -> Statement { Statement("meet", Value(owner.id), Value(owner.address)) }

  /// - Parameter revives: whether a lease that has ended is renewed, too.
  static func renew(_ owner: TreeOwner, for duration: Duration, revives: Bool = false) -> Statement {
    // At most a century, as there are durations that no date can hold.
    let microseconds = min(duration / .microseconds(1), 3e15)
    return Statement(revives ? "revive" : "renew", Value(owner.id), Value(Int64(microseconds)))
  }

  static func taken(_ fences: [(key: TreeKey, value: UInt64)]) -> Statement {
    Statement(
      "taken", Value(texts: fences.map(\.key.kind)), Value(texts: fences.map(\.key.id)),
      Value(integers: fences.map { Int64($0.value) }))
  }

  /// Whether it is answered before all others, as the lease may be about to end.
  var isUrgent: Bool { ["renew", "revive", "taken"].contains(name) }

  static func claim(_ claims: [ClaimQueue.Claim]) -> Statement {
    Statement(
      "claim", Value(texts: claims.map(\.key.kind)), Value(texts: claims.map(\.key.id)),
      Value(texts: claims.map(\.owner.id)), Value(integers: claims.map { Int64($0.schema) }))
  }

  enum SaveMethod {
    /// Waits for rows that are locked.
    case waiting
    /// Leaves them out.
    case skippingLocked
    /// Leaves them out, and those that are elsewhere.
    case inPlace([Value])
  }

  static func save(_ records: [TreeRecord], _ method: SaveMethod) -> Statement {
    let contents: [(name: String, document: [UInt8]?)] = records.map { record in
      switch record.content {
      case .document(let document): ("document", document)
      case .unchanged: ("unchanged", nil)
      case .removed: ("removed", nil)
      }
    }
    let (name, places): (String, [Value]) =
      switch method {
      case .waiting: ("save", [])
      case .skippingLocked: ("saveUnlocked", [])
      case .inPlace(let places): ("saveInPlace", [Value(places: places)])
      }
    let values = [
      Value(texts: records.map(\.key.kind)), Value(texts: records.map(\.key.id)),
      Value(integers: records.map { Int64($0.fence) }), Value(integers: records.map { Int64($0.version) }),
      Value(integers: records.map { Int64($0.schema) }), Value(texts: contents.map(\.name)),
      Value(byteArrays: contents.map(\.document)), Value(booleans: records.map(\.isAwake)),
      Value(booleans: records.map(\.isReleased)),
      Value(integers: records.map { $0.wakes?.microsecondsSince1970 }),
    ]
    return Statement(name, values + places)
  }

  static func note(_ starts: [TreeStart]) -> Statement {
    let values: [(starts: UnfinishedStarts, isQuarantined: Bool)] = starts.map { start in
      switch start.state {
      case .begins(let starts): (starts, false)
      case .succeeded: (UnfinishedStarts(count: 0), false)
      case .quarantined: (UnfinishedStarts(count: 0), true)
      }
    }
    return Statement(
      // A single start is one that must be noted.
      starts.count > 1 ? "noteUnlocked" : "note",
      Value(texts: starts.map(\.key.kind)), Value(texts: starts.map(\.key.id)),
      Value(integers: starts.map { Int64($0.fence) }), Value(integers: values.map { Int64($0.starts.count) }),
      Value(texts: values.map(\.starts.last)), Value(booleans: values.map(\.isQuarantined)))
  }

  static func quarantined(_ kind: String) -> Statement { Statement("quarantined", Value(kind)) }

  static func retry(_ key: TreeKey) -> Statement { Statement("retry", Value(key.kind), Value(key.id)) }

  static func clean(_ name: String, olderThan age: Duration) -> Statement {
    Statement(name, Value(Int64(age / .microseconds(1))))
  }

  static func contains(_ key: TreeKey) -> Statement { Statement("contains", Value(key.kind), Value(key.id)) }

  static func due(_ kind: String, limit: Int, schema: Int) -> Statement {
    Statement("due", Value(kind), Value(Int64(max(limit, 0))), Value(Int64(schema)))
  }
}

/// A row of a result.
typealias Row = [Value]

/// A value in the binary format of PostgreSQL.
struct Value: Sendable {
  /// The bytes; nil for NULL.
  let bytes: [UInt8]?

  init(bytes: [UInt8]?) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }
  init(_ integer: Int64) { bytes = Value.bigEndian(integer) }
  init(texts: [String]) { self.init(array: texts.map { Array($0.utf8) }, of: 25) }
  init(integers: [Int64?]) { self.init(array: integers.map { $0.map(Value.bigEndian) }, of: 20) }
  init(booleans: [Bool]) { self.init(array: booleans.map { [$0 ? 1 : 0] }, of: 16) }
  init(byteArrays: [[UInt8]?]) { self.init(array: byteArrays, of: 17) }
  init(places: [Value]) { self.init(array: places.map(\.bytes), of: 27) }

  /// - Parameter type: the number of the type of the elements, which never changes for the types of PostgreSQL.
  private init(array: [[UInt8]?], of type: Int32) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(array.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
    // One dimension, with NULLs or not, of so many elements, which count from 1.
    for field in [1, array.contains(nil) ? 1 : 0, type, Int32(array.count), 1] { bytes += Value.bigEndian(field) }
    for element in array {
      bytes += Value.bigEndian(Int32(element?.count ?? -1))
      if let element { bytes += element }
    }
    self.bytes = bytes
  }

  var isNull: Bool { bytes == nil }
  var text: String { String(decoding: bytes ?? [], as: UTF8.self) }
  var integer: Int64 { (bytes ?? []).reduce(0) { $0 << 8 | Int64($1) } }

  private static func bigEndian<Integer: FixedWidthInteger>(_ integer: Integer) -> [UInt8] {
    withUnsafeBytes(of: integer.bigEndian) { Array($0) }
  }
}
