// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsInspector

/// Follows the events of a process. Reconnects if the connection ends before the tree or the process does.
struct Following {
  let client: InspectorClient
  /// The tree to follow; nil for all.
  let tree: InspectedTree.ID?
  var replay = false

  /// The number of connections in a row without an event after which it fails.
  private static let attempts = 5

  /// Returns when the tree or the process has ended, or when `take` returns false. Fails if the process ends the connection
  /// again and again.
  ///
  /// - Parameters:
  ///   - begun: called each time a connection starts to deliver events.
  ///   - take: receives each event; returns whether to continue.
  func run(
    begun: () -> Void = {}, _ take: (InspectedEvents.Element) async throws -> Bool
  ) async throws {
    var replay = replay
    var attempts = 0
    repeat {
      guard attempts < Following.attempts else {
        throw Failure.refused("the process ends the connection again and again")
      }
      // A process that ends each connection at once must not keep a processor busy.
      if attempts > 0 { try? await Task.sleep(for: .milliseconds(100)) }
      attempts += 1
      let events = try await answer { () throws(InspectorError) in try await client.events(of: tree, replay: replay) }
      begun()
      // A replay after a reconnection would repeat events.
      replay = false
      var iterator = events.makeAsyncIterator()
      while let element = try await answer({ () throws(InspectorError) in try await iterator.next() }) {
        attempts = 0
        guard try await take(element) else { return }
      }
    } while await isThere()
  }

  private func isThere() async -> Bool {
    guard !Task.isCancelled, let trees = try? await client.trees() else { return false }
    return tree == nil || trees.contains { $0.id == tree }
  }
}
