// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A part of a graph: the RIBs below some roots, limited by edge kind and depth.
package struct Selection: Sendable {
  package let graph: RIBGraph
  /// The roots of the trees.
  package let roots: [Int]
  /// The edges from each RIB, in their order.
  let children: [[RIBGraph.Edge]]
  let depth: Int?
  /// Whether to include the summaries of RIBs.
  let hasSummaries: Bool

  /// - Parameters:
  ///   - root: the root; nil for all RIBs without incoming edges.
  ///   - depth: the number of levels below the roots; nil for all.
  ///   - excluded: the RIBs to omit, along with everything reachable only through them.
  package init(
    _ graph: RIBGraph, root: Int? = nil, depth: Int? = nil, excluded: Set<Int> = [],
    kinds: Set<RIBGraph.EdgeKind> = [.tree], hasSummaries: Bool = false
  ) {
    self.graph = graph
    self.depth = depth
    self.hasSummaries = hasSummaries
    let all = graph.children(kinds)
    let roots = root.map { [$0] } ?? Selection.roots(of: graph, all)
    self.roots = roots.filter { !excluded.contains($0) }
    children = all.indices.map { parent in
      excluded.contains(parent) ? [] : all[parent].filter { !excluded.contains($0.child) }
    }
  }

  /// The RIBs without incoming edges, those with children first, and one RIB of each cycle without incoming edges.
  private static func roots(of graph: RIBGraph, _ children: [[RIBGraph.Edge]]) -> [Int] {
    var isChild: Set<Int> = []
    for (parent, edges) in children.enumerated() {
      for edge in edges where edge.child != parent { isChild.insert(edge.child) }
    }
    var roots = graph.nodes.indices.filter { !isChild.contains($0) }
    roots = roots.filter { !children[$0].isEmpty } + roots.filter { children[$0].isEmpty }
    var seen: Set<Int> = []
    var open = roots
    func follow() {
      while let next = open.popLast() {
        if seen.insert(next).inserted { open += children[next].map(\.child) }
      }
    }
    follow()
    let starts = graph.nodes.indices.filter { graph.launched.contains($0) } + Array(graph.nodes.indices)
    for node in starts where !seen.contains(node) {
      roots.append(node)
      open = [node]
      follow()
    }
    // Launched roots come first.
    return roots.filter { graph.launched.contains($0) } + roots.filter { !graph.launched.contains($0) }
  }

  /// The selected RIBs, in the order of traversal.
  package var nodes: [Int] {
    var level: [Int: Int] = [:]
    var open = roots
    for root in roots { level[root] = 0 }
    var next = 0
    while next < open.count {
      let node = open[next]
      next += 1
      if let depth, level[node, default: 0] >= depth { continue }
      for edge in children[node] where level[edge.child] == nil {
        level[edge.child] = level[node, default: 0] + 1
        open.append(edge.child)
      }
    }
    return open
  }

  /// The edges between the selected RIBs.
  package var edges: [RIBGraph.Edge] {
    let shown = Set(nodes)
    return nodes.flatMap { children[$0] }.filter { shown.contains($0.child) }
  }
}
