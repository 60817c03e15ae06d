import RIBsInspector

/// Follows the events of a process, and connects again when the connection has ended before the tree and the process.
struct Following {
  let client: InspectorClient
  /// The tree; nil for all.
  let tree: InspectedTree.ID?
  var replay = false

  /// Returns when the tree or the process has ended, or nothing more is wanted.
  ///
  /// - Parameters:
  ///   - begun: called whenever events begin to come.
  ///   - take: takes what comes, and says whether more is wanted.
  func run(
    begun: () -> Void = {}, _ take: (InspectedEvents.Element) async throws -> Bool
  ) async throws {
    var replay = replay
    repeat {
      let events = try await answer { () throws(InspectorError) in try await client.events(of: tree, replay: replay) }
      begun()
      // After a reconnection, the events of a replay would be repeated.
      replay = false
      var iterator = events.makeAsyncIterator()
      while let element = try await answer({ () throws(InspectorError) in try await iterator.next() }) {
        guard try await take(element) else { return }
      }
    } while await isThere()
  }

  private func isThere() async -> Bool {
    guard !Task.isCancelled, let trees = try? await client.trees() else { return false }
    return tree == nil || trees.contains { $0.id == tree }
  }
}
