// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
public import RIBsStore

/// Expects that a store fulfills the contract of `TreeStore`.
///
/// Run it against each store that you write, in Swift Testing or XCTest. Each rule that the store breaks is a failure of
/// the test.
///
/// ```swift
/// @Test func conformance() async throws {
///   let directory = NSTemporaryDirectory() + UUID().uuidString
///   await expectConformance(of: { try FileStore(directory: directory) }, hasLeases: false) { store in
///     await store.close()
///     return try FileStore(directory: directory)
///   }
/// }
/// ```
///
/// The clock of the store must run: one rule waits until the time of a tree has come, for a tenth of a second.
///
/// The storage may have other records: each rule uses kinds with random names, and leaves its records behind. Texts with a
/// NUL character are not part of the contract, because databases refuse them.
///
/// - Parameters:
///   - makeStore: opens the store. It is called once.
///   - hasLeases: whether the store is for several processes. One for a single process has no leases: `renew` returns true.
///   - reopen: ends the store, and opens the same storage again, as the next process does. Nil if the records end with the
///     store; its durability is not tested then.
///   - fileID: the file for failures. Defaults to the call site.
///   - filePath: the path for failures. Defaults to the call site.
///   - line: the line for failures. Defaults to the call site.
///   - column: the column for failures. Defaults to the call site.
public func expectConformance<Store: TreeStore>(
  of makeStore: @Sendable () async throws -> Store, hasLeases: Bool = true, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  reopening reopen: (@Sendable (Store) async throws -> Store)? = nil
) async {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  do {
    var store = try await makeStore()
    for rule in StoreRule.all where rule.leases == nil || rule.leases == hasLeases {
      await rule.run(on: store, at: place)
    }
    guard let reopen else { return }
    for rule in StoreRule.durability {
      let run = StoreRun(store, rule)
      guard await run.report(at: place, rule.body) else { continue }
      store = try await reopen(store)
      await StoreRun(store, continuing: run).report(at: place, rule.afterReopening)
    }
  } catch {
    FailureReporting.report(
      "The store can't be opened: \(error)", advice: "The closures of expectConformance must return a store.", at: place
    )
  }
}

/// A rule of the contract, and how it is tested.
struct StoreRule: Sendable {
  typealias Body = @Sendable (StoreRun) async throws -> Void

  /// The sentence of the contract.
  let sentence: String
  /// Whether it is one of stores with leases, or one of stores without; nil if it is one of all stores.
  var leases: Bool?
  let body: Body
  /// The second part of a rule on durability.
  var afterReopening: Body = { _ in }

  func run(on store: any TreeStore, at place: SourcePlace) async {
    await StoreRun(store, self).report(at: place, body)
  }
}

/// A store under test, and the names that one rule uses.
final class StoreRun: Sendable {
  struct Violation: Error { let message: String }

  let store: any TreeStore
  let rule: StoreRule
  let kind: String
  /// The largest fence of each key.
  private let fences: Locked<[TreeKey: UInt64]>

  init(_ store: any TreeStore, _ rule: StoreRule) {
    self.store = store
    self.rule = rule
    kind = "conformance-" + String(UInt64.random(in: .min ... .max), radix: 36)
    fences = Locked([:])
  }

  init(_ store: any TreeStore, continuing earlier: StoreRun) {
    self.store = store
    rule = earlier.rule
    kind = earlier.kind
    fences = Locked(earlier.fences.withLock { $0 })
  }

  /// Runs a part of the rule, and reports the first violation. Returns false if there was one.
  @discardableResult
  func report(at place: SourcePlace, _ body: StoreRule.Body) async -> Bool {
    let message: String
    do {
      try await body(self)
      return true
    } catch let violation as Violation {
      message = violation.message
    } catch {
      message = "The store threw an error: \(error)"
    }
    FailureReporting.report(message, advice: "The contract of TreeStore: \(rule.sentence)", at: place)
    return false
  }

  // MARK: Calls

  func key(_ id: String) -> TreeKey { TreeKey(kind: kind, id: id) }

  /// Claims a tree, which must be successful, with a larger fence than all before.
  func claim(_ id: String, by owner: TreeOwner, schema: Int = 1) async throws -> Claimed {
    try await claim(key(id), by: owner, schema: schema)
  }

  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int = 1) async throws -> Claimed {
    let claim = try await store.claim(key, by: owner, schema: schema)
    guard case .claimed(let fence, let saved) = claim else {
      throw Violation(message: "A tree without a living owner was not claimed: \(claim).")
    }
    let last = fences.withLock { fences in
      let last = fences[key]
      fences[key] = max(fence, last ?? 0)
      return last
    }
    if let last, fence <= last { throw Violation(message: "A claim returned the fence \(fence) after \(last).") }
    return Claimed(run: self, key: key, fence: fence, saved: saved)
  }

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(message: message()) }
  }

  func expectSaved(_ record: TreeRecord, fencing fenced: Set<TreeKey> = [], _ what: String) async throws {
    try await expectSaved([record], fencing: fenced, what)
  }

  /// Saves records, and compares the keys that come back.
  func expectSaved(_ records: [TreeRecord], fencing fenced: Set<TreeKey> = [], _ what: String) async throws {
    let refused = try await store.save(records)
    let (missing, more) = (fenced.subtracting(refused).sorted(), refused.subtracting(fenced).sorted())
    try expect(missing.isEmpty, "\(what) must be refused, and the store did not return its key: \(missing).")
    try expect(more.isEmpty, "\(what) must not be refused, and the store returned its key: \(more).")
  }

  /// Claims a tree by a new owner, and compares what is saved.
  func expect(
    _ id: String, has document: [UInt8]?, schema: Int = 1, _ when: String
  ) async throws {
    let claimed = try await claim(id, by: TreeOwner())
    try expect(
      claimed.saved?.document == document,
      "\(when), a claim returned \(StoreRun.text(claimed.saved?.document)), and not \(StoreRun.text(document)).")
    if let saved = claimed.saved {
      try expect(saved.schema == schema, "\(when), the record has the schema \(saved.schema), and not \(schema).")
    }
  }

  /// Claims a tree by a new owner, and compares what is known of its starts.
  func expect(_ id: String, startsAre starts: UnfinishedStarts?, _ when: String) async throws {
    let found = try await claim(id, by: TreeOwner()).saved?.unfinishedStarts
    try expect(
      found == starts, "\(when), a claim returned the unfinished starts \(found as Any), and not \(starts as Any).")
  }

  func expectDue(_ ids: Set<String>, schema: Int = 1, _ when: String) async throws {
    let due = try await store.due(kind, limit: 1_000, schema: schema)
    try expect(Set(due).count == due.count, "due returned a key twice: \(due.sorted()).")
    let expected = ids.map { key($0) }.sorted()
    try expect(due.sorted() == expected, "\(when), the trees \(due.sorted()) are due, and not \(expected).")
  }

  /// Compares the trees that are due, in order.
  func expectDue(inOrder ids: [String], limit: Int = 1_000, schema: Int = 1, _ when: String) async throws {
    let due = try await store.due(kind, limit: limit, schema: schema)
    let expected = ids.map { key($0) }
    try expect(due == expected, "\(when), the trees \(due) are due, and not \(expected), in this order.")
  }

  /// Claims a tree by a new owner, and compares when it wakes.
  func expect(_ id: String, wakes time: WallTime?, _ when: String) async throws {
    let found = try await claim(id, by: TreeOwner()).saved?.wakes
    try expect(
      found == time,
      "\(when), a claim returned the wake time \(found.map { "\($0)" } ?? "nil"), and not \(time.map { "\($0)" } ?? "nil")."
    )
  }

  private static func text(_ document: [UInt8]?) -> String {
    guard let document else { return "no record" }
    return document.count > 60 ? "\(document.count) bytes" : "“\(String(decoding: document, as: UTF8.self))”"
  }
}

/// A successful claim.
struct Claimed: Sendable {
  let run: StoreRun
  let key: TreeKey
  let fence: UInt64
  let saved: SavedRecord?

  func record(
    _ version: UInt64, _ content: TreeRecord.Content, schema: Int = 1, isAwake: Bool = false, wakes: WallTime? = nil,
    isReleased: Bool = false
  ) -> TreeRecord {
    TreeRecord(
      key: key, fence: fence, version: version, schema: schema, content: content, isAwake: isAwake, wakes: wakes,
      isReleased: isReleased)
  }

  func record(
    _ version: UInt64, _ text: String, schema: Int = 1, isAwake: Bool = false, wakes: WallTime? = nil,
    isReleased: Bool = false
  ) -> TreeRecord {
    record(
      version, .document(Array(text.utf8)), schema: schema, isAwake: isAwake, wakes: wakes, isReleased: isReleased)
  }

  func start(_ state: TreeStart.State) -> TreeStart { TreeStart(key: key, fence: fence, state: state) }

  func note(_ state: TreeStart.State) async throws { try await run.store.note([start(state)]) }

  /// Saves a record, which must be successful.
  func save(_ record: TreeRecord) async throws { try await run.expectSaved(record, "A save with the latest fence") }
}
