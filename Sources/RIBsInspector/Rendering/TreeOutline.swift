internal import RIBs

/// The RIBs of a snapshot down to some depth, each with its level: what all renderings are made from.
struct TreeOutline {
  struct Line {
    /// The index in the snapshot.
    let index: Int
    /// The number of RIBs above it.
    let level: Int
    /// Whether it is the last child of its parent.
    var isLast = true
    /// How many RIBs below it were left out.
    var hidden = 0
  }

  private(set) var lines: [Line] = []

  /// - Parameter depth: how many levels below the root there are lines for; all if nil.
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
        // What is left out stands in pre-order right behind the last line, which is above it.
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
      // Whatever stands deeper, further down, is below another RIB.
      if hasLater.count > level + 1 { hasLater.removeLast(hasLater.count - level - 1) }
      while hasLater.count <= level { hasLater.append(false) }
      hasLater[level] = true
    }
  }
}
