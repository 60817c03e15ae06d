internal import Foundation

/// The last events of all trees, encoded.
struct EventHistory {
  static let capacity = 1_000

  private var items: [(tree: InspectedTree.ID, line: Data)] = []
  /// Where the oldest is, once there is no more room.
  private var start = 0

  mutating func append(_ line: Data, of tree: InspectedTree.ID) {
    if items.count < EventHistory.capacity {
      items.append((tree, line))
    } else {
      items[start] = (tree, line)
      start = (start + 1) % EventHistory.capacity
    }
  }

  /// What is known of a tree, or of all, the oldest first.
  func lines(of tree: InspectedTree.ID?) -> [Data] {
    (items[start...] + items[..<start]).filter { tree == nil || $0.tree == tree }.map(\.line)
  }
}
