// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The RIBs of a snapshot down to a given depth, each with its level. All renderings are made from it.
struct TreeOutline {
  struct Line {
    /// The index in the snapshot.
    let index: Int
    /// The number of ancestors.
    let level: Int
    /// Whether it is the last child of its parent.
    var isLast = true
    /// The number of omitted RIBs below it.
    var hidden = 0
  }

  private(set) var lines: [Line] = []

  /// - Parameter depth: the number of levels below the root to include; all if nil.
  init(of nodes: [TreeSnapshot.Node], depth: Int?) {
    let deepest = depth.map { max(0, $0) } ?? .max
    var levels: [Int] = []
    levels.reserveCapacity(nodes.count)
    lines.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      let level = node.parent.map { levels[$0] + 1 } ?? 0
      levels.append(level)
      if level <= deepest {
        lines.append(Line(index: index, level: level))
      } else {
        // In pre-order, omitted RIBs directly follow the last line, which is their ancestor.
        lines[lines.count - 1].hidden += 1
      }
    }
    markLastChildren()
  }

  private mutating func markLastChildren() {
    // For each level, whether a RIB further down has the same parent.
    var hasLater: [Bool] = []
    for position in lines.indices.reversed() {
      let level = lines[position].level
      if hasLater.count > level { lines[position].isLast = !hasLater[level] }
      // RIBs further down at a deeper level have another parent.
      if hasLater.count > level + 1 { hasLater.removeLast(hasLater.count - level - 1) }
      while hasLater.count <= level { hasLater.append(false) }
      hasLater[level] = true
    }
  }
}
