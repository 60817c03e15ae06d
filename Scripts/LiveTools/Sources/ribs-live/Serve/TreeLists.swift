// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsInspector

/// The trees of processes, as lists that the page reads by their changes.
///
/// A process is asked only when a page reads its list, and at most every half second. Asking for many trees takes the
/// process longer, so it is then asked less often: at most a twentieth of the time.
actor TreeLists {
  /// A tree in the list.
  struct Tree: Encodable, Sendable {
    let id: Int
    let name: String
    let labels: [String: String]
    /// When it was launched, in milliseconds since 1970.
    let launched: Int64
    /// For how long it was recorded, in milliseconds; nil if the tree is live.
    var age: Double?
  }

  /// All trees, or the changes since a version.
  struct Changes: Encodable, Sendable {
    let version: Int
    var trees: [Tree]?
    var added: [Tree]?
    var ended: [Int]?
  }

  /// The changes that are kept, in trees.
  static let kept = 20_000
  private static let shortestPause = Duration.milliseconds(500)

  private struct List {
    var version = 0
    var trees: [Int: Tree] = [:]
    /// The changes of the last versions.
    var log: [(version: Int, added: [Tree], ended: [Int])] = []
    /// Nil before the first reading.
    var nextReading: ContinuousClock.Instant?
    var reading: Task<[InspectedTree], any Error>?
  }

  private var lists: [String: List] = [:]

  /// - Parameter version: the version that the page has; nil if it has none.
  /// - Returns: the changes since that version, or all trees if they are not known.
  func changes(of process: ServedProcess, since version: Int?, _ client: InspectorClient) async throws -> Changes {
    let key = process.key
    if lists[key]?.nextReading.map({ $0 <= .now }) ?? true { try await read(key, client) }
    let list = lists[key, default: List()]
    guard let version, version <= list.version, version >= (list.log.first?.version ?? list.version + 1) - 1 else {
      return Changes(version: list.version, trees: list.trees.values.sorted { $0.id < $1.id })
    }
    var (added, ended): ([Int: Tree], Set<Int>) = ([:], [])
    for change in list.log where change.version > version {
      for tree in change.added { added[tree.id] = tree }
      for id in change.ended where added.removeValue(forKey: id) == nil { ended.insert(id) }
    }
    return Changes(version: list.version, added: added.values.sorted { $0.id < $1.id }, ended: ended.sorted())
  }

  /// Reads the list of a process. Several pages share a reading.
  private func read(_ key: String, _ client: InspectorClient) async throws {
    let start = ContinuousClock.now
    if let reading = lists[key]?.reading {
      _ = try await reading.value
      return
    }
    let reading = Task { try await client.trees() }
    lists[key, default: List()].reading = reading
    defer { lists[key]?.reading = nil }
    let trees = try await reading.value
    // A process that has ended leaves its list behind.
    if lists.count > 64 { lists = lists.filter { $0.key == key } }
    take(trees, of: key)
    lists[key]?.nextReading = .now + max(TreeLists.shortestPause, (ContinuousClock.now - start) * 20)
  }

  private func take(_ trees: [InspectedTree], of key: String) {
    let now = Date().timeIntervalSince1970
    var list = lists[key, default: List()]
    let ids = Set(trees.map(\.id))
    let ended = list.trees.keys.filter { !ids.contains($0) }
    var added: [Tree] = []
    for tree in trees where list.trees[tree.id] == nil {
      added.append(
        Tree(id: tree.id, name: tree.name, labels: tree.labels, launched: Int64(clamping: (now - tree.age) * 1_000)))
    }
    for id in ended { list.trees[id] = nil }
    for tree in added { list.trees[tree.id] = tree }
    if !added.isEmpty || !ended.isEmpty || list.version == 0 {
      list.version += 1
      list.log.append((list.version, added, ended.sorted()))
      var count = list.log.reduce(0) { $0 + $1.added.count + $1.ended.count }
      while count > TreeLists.kept, let first = list.log.first {
        count -= first.added.count + first.ended.count
        list.log.removeFirst()
      }
    }
    lists[key] = list
  }
}
