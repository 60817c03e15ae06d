// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsInspector

/// Takes snapshots of trees of a process.
struct TreeReading {
  /// Up to this number of trees, a request for each is as fast as one for all trees of the process.
  private static let few = 8

  let process: InspectedProcess
  let live: LiveOptions

  /// Takes snapshots, in order, with one in memory at a time. Skips trees that end in the meantime, and prints a note
  /// about trees that do not answer.
  ///
  /// - Parameters:
  ///   - trees: the trees of the process to read.
  ///   - use: receives each tree with its snapshot.
  /// - Returns: whether every tree that still exists has answered.
  func read(_ trees: [InspectedTree], _ use: (InspectedTree, TreeSnapshot) throws -> Void) async throws -> Bool {
    let client = live.client(of: process)
    guard trees.count > TreeReading.few else { return try await readFew(trees, client, use) }
    var isComplete = true
    let chosen = Dictionary(trees.map { ($0.id, $0) }) { first, _ in first }
    let snapshots = try await answer { () throws(InspectorError) in try await client.snapshots() }
    var iterator = snapshots.makeAsyncIterator()
    while let element = try await answer({ () throws(InspectorError) in try await iterator.next() }) {
      guard let tree = chosen[element.tree] else { continue }
      if let snapshot = element.snapshot {
        try use(tree, snapshot)
      } else {
        isComplete = false
        note(element.problem ?? "", tree)
      }
    }
    return isComplete
  }

  private func readFew(
    _ trees: [InspectedTree], _ client: InspectorClient, _ use: (InspectedTree, TreeSnapshot) throws -> Void
  ) async throws -> Bool {
    var isComplete = true
    for tree in trees {
      let snapshot: TreeSnapshot
      do throws(InspectorError) {
        snapshot = try await client.snapshot(of: tree.id)
      } catch {
        if error.kind == .refused { continue }
        isComplete = false
        note(error.description, tree)
        continue
      }
      try use(tree, snapshot)
    }
    return isComplete
  }

  private func note(_ problem: String, _ tree: InspectedTree) {
    live.note("tree \(tree.id) of \(process.title): \(problem)")
  }
}
