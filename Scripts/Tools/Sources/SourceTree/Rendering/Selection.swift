/// A part of a graph: what is below some RIBs, over edges of some kinds, down to some depth.
package struct Selection: Sendable {
  package let graph: RIBGraph
  /// Where the trees begin.
  package let roots: [Int]
  /// The edges from each RIB, in their order.
  let children: [[RIBGraph.Edge]]
  let depth: Int?
  /// Whether what RIBs are for is said with them.
  let hasSummaries: Bool

  /// - Parameters:
  ///   - root: where to begin; at all RIBs that nothing leads to, if nil.
  ///   - depth: how many levels below the roots are shown; all if nil.
  ///   - excluded: the RIBs to leave out, with what is below nothing else.
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

  /// The RIBs that nothing leads to, those first that have children, and one of each circle that nothing leads to.
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
    // A launched root comes first.
    return roots.filter { graph.launched.contains($0) } + roots.filter { !graph.launched.contains($0) }
  }

  /// The RIBs that are shown, in the order in which they are come upon.
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

  /// The edges between the RIBs that are shown.
  package var edges: [RIBGraph.Edge] {
    let shown = Set(nodes)
    return nodes.flatMap { children[$0] }.filter { shown.contains($0.child) }
  }
}
