// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The progress of a client that receives a snapshot of each tree, one after another.
struct SnapshotTour {
  /// The trees that have not been requested, the next one last.
  private var rest: [InspectedTree.ID]
  /// How long to wait for each tree.
  let timeout: Duration
  /// The tree whose snapshot is being taken, and how long to wait for it.
  var requested: (tree: InspectedTree.ID, deadline: ContinuousClock.Instant)?

  /// - Parameters:
  ///   - trees: the trees, in order.
  ///   - timeout: how long to wait for each.
  init(of trees: [InspectedTree.ID], timeout: Duration) {
    rest = trees.reversed()
    self.timeout = timeout
  }

  /// Removes the next tree.
  mutating func next() -> InspectedTree.ID? { rest.popLast() }
}
