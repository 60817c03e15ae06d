internal import RIBs

/// The names of a tree's RIBs with the branches that lead to them, in the order of the snapshot.
struct TreeLabels {
  /// How many levels are indented.
  private static let deepestIndentation = 40

  private(set) var labels: [String] = []

  init(of snapshot: TreeSnapshot, style: TreeTextStyle) {
    let nodes = snapshot.nodes
    let isLast = TreeLabels.lastChildren(of: nodes)
    var levels: [Int] = []
    // For each level, what goes in front of whatever stands below the RIB last seen there.
    var indentations: [String] = []
    labels.reserveCapacity(nodes.count)
    levels.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      let level = node.parent.map { levels[$0] + 1 } ?? 0
      levels.append(level)
      let name = node.name.escaped(style)
      guard level > 0 else {
        labels.append(name)
        indentations = [""]
        continue
      }
      guard level <= TreeLabels.deepestIndentation else {
        labels.append(indentations[TreeLabels.deepestIndentation] + style.ellipsis + "\(level) \(name)")
        continue
      }
      let above = indentations[level - 1]
      labels.append(above + (isLast[index] ? style.lastBranch : style.branch) + name)
      indentations.removeSubrange(level...)
      indentations.append(above + (isLast[index] ? style.gap : style.trunk))
    }
  }

  /// Whether each RIB is the last child of its parent.
  private static func lastChildren(of nodes: [TreeSnapshot.Node]) -> [Bool] {
    var isLast = [Bool](repeating: false, count: nodes.count)
    var hasLaterChild = [Bool](repeating: false, count: nodes.count)
    for index in nodes.indices.reversed() {
      guard let parent = nodes[index].parent else { continue }
      isLast[index] = !hasLaterChild[parent]
      hasLaterChild[parent] = true
    }
    return isLast
  }
}
