// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore

/// Claims trees of a store, and saves them.
typealias Trees = SavedTrees<FileStore>

/// What is saved of the trees of a kind, as one owner claims and saves it.
struct SavedTrees<Store: TreeStore> {
  let store: Store
  var kind = "order"
  var owner = TreeOwner()

  static func key(_ id: String) -> TreeKey { TreeKey(kind: "order", id: id) }

  /// What is saved, and a claim to save more.
  struct Claim {
    let key: TreeKey
    let fence: UInt64
    let saved: SavedRecord?

    var text: String? { saved.map { String(decoding: $0.document, as: UTF8.self) } }

    func record(
      _ content: TreeRecord.Content, version: UInt64? = nil, schema: Int = 1, isAwake: Bool = false,
      wakes: WallTime? = nil, isReleased: Bool = false
    ) -> TreeRecord {
      TreeRecord(
        key: key, fence: fence, version: version ?? (saved?.version ?? 0) + 1, schema: schema, content: content,
        isAwake: isAwake, wakes: wakes, isReleased: isReleased)
    }

    func record(
      _ text: String, version: UInt64? = nil, schema: Int = 1, isAwake: Bool = false, wakes: WallTime? = nil,
      isReleased: Bool = false
    ) -> TreeRecord {
      record(
        .document(Array(text.utf8)), version: version, schema: schema, isAwake: isAwake, wakes: wakes,
        isReleased: isReleased)
    }
  }

  struct Refused: Error { let claim: TreeClaim }

  func claim(_ id: String, schema: Int = 1) async throws -> Claim {
    try await claim(TreeKey(kind: kind, id: id), schema: schema)
  }

  func claim(_ key: TreeKey, schema: Int = 1) async throws -> Claim {
    let claim = try await store.claim(key, by: owner, schema: schema)
    guard case .claimed(let fence, let saved) = claim else { throw Refused(claim: claim) }
    return Claim(key: key, fence: fence, saved: saved)
  }

  /// Claims and saves a tree, and releases it.
  func save(_ id: String, _ text: String, isAwake: Bool = false, wakes: WallTime? = nil) async throws {
    _ = try await store.save([claim(id).record(text, isAwake: isAwake, wakes: wakes, isReleased: true)])
  }

  /// Claims numbered trees, for a save of their records.
  func records(
    of ids: Range<Int>, prefix: String = "", schema: Int = 1, _ record: (Claim) -> TreeRecord
  ) async throws -> [TreeRecord] {
    var records: [TreeRecord] = []
    for id in ids { records.append(record(try await claim("\(prefix)\(id)", schema: schema))) }
    return records
  }

  /// Claims a tree, and releases it as it was.
  func release(_ id: String, isAwake: Bool = false) async throws {
    _ = try await store.save([claim(id).record(.unchanged, isAwake: isAwake, isReleased: true)])
  }

  func due(_ limit: Int = 1_000, schema: Int = 1) async throws -> [String] {
    try await store.due(kind, limit: limit, schema: schema).map(\.id)
  }
}

extension SimulatedMachine {
  /// Opens the store of the machine, as a process does.
  func open() throws -> Trees { Trees(store: try FileStore(directory: "data", system: self)) }
}

/// A store as it is, with a type, as `expectConformance(of:)` needs one.
struct ForwardedStore: ForwardingStore { let base: any TreeStore }

/// A store of one process.
struct OwnStore: ForwardingStore {
  let base: any TreeStore = MemoryStore()
  var isShared: Bool { false }
}
