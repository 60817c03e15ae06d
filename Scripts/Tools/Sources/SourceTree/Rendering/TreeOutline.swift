// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The lines of a selection: a RIB below each of its parents. The subtree of each RIB is listed once.
struct TreeOutline {
  enum Repetition {
    case none
    /// The subtree is listed further up.
    case above
    /// The RIB is below itself.
    case circle
  }

  struct Line {
    let node: Int
    let level: Int
    /// The kind of the edge from its parent; nil for a root.
    let kind: RIBGraph.EdgeKind?
    let repetition: Repetition
    /// For each ancestor level, whether another child follows; the last element is for the line itself.
    let hasLater: [Bool]
    /// The number of children omitted because of the depth limit.
    let hidden: Int
  }

  private(set) var lines: [Line] = []

  init(_ selection: Selection) {
    struct Step {
      let node: Int
      let kind: RIBGraph.EdgeKind?
      let hasLater: [Bool]
      let path: [Int]
    }
    var expanded: Set<Int> = []
    var open = selection.roots.reversed().map { Step(node: $0, kind: nil, hasLater: [], path: []) }
    while let step = open.popLast() {
      let children = selection.children[step.node]
      let isDeep = selection.depth.map { step.path.count >= $0 } ?? false
      let isCircle = step.path.contains(step.node)
      let isAbove = !children.isEmpty && !isDeep && expanded.contains(step.node)
      lines.append(
        Line(
          node: step.node, level: step.path.count, kind: step.kind,
          repetition: isCircle ? .circle : isAbove ? .above : .none, hasLater: step.hasLater,
          hidden: isDeep && !isCircle ? children.count : 0))
      if isCircle || isAbove || isDeep { continue }
      expanded.insert(step.node)
      for (position, edge) in children.enumerated().reversed() {
        open.append(
          Step(
            node: edge.child, kind: edge.kind, hasLater: step.hasLater + [position < children.count - 1],
            path: step.path + [step.node]))
      }
    }
  }
}

extension Selection {
  /// The remarks after the name in a line.
  func remarks(on line: TreeOutline.Line) -> [String] {
    var remarks: [String] = []
    if let kind = line.kind, kind != .tree { remarks.append(kind.rawValue) }
    if graph.nodes[line.node].isExternal { remarks.append("not in these sources") }
    switch line.repetition {
    case .none: break
    case .above: remarks.append("as above")
    case .circle: remarks.append("a circle")
    }
    if line.hidden > 0 { remarks.append("\(line.hidden) more below") }
    return remarks
  }

  func summary(of node: Int) -> String? { hasSummaries ? graph.nodes[node].summary : nil }
}
