// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The RIBs of some sources, and the attach, dependency and listener relations between them.
package struct RIBGraph: Sendable {
  /// One RIB.
  package struct Node: Hashable, Sendable {
    package let name: String
    /// The module; empty if unknown.
    package let module: String
    /// The file of the router, or of the builder if the RIB has no router type.
    package let path: String
    package let line: Int
    package let router: String?
    package let builder: String?
    package let hasView: Bool
    /// Whether only the builder's name is known because the RIB is not in the sources.
    package let isExternal: Bool
    package let summary: String?
    /// The text that distinguishes it from other RIBs of the same name; nil if the name is unique.
    package internal(set) var distinction: String?

    /// The file and line.
    package var place: String { "\(path):\(line)" }

    /// The name, with its distinction if it has one.
    package var title: String { distinction.map { "\(name) [\($0)]" } ?? name }
  }

  package enum EdgeKind: String, CaseIterable, Codable, Sendable {
    /// The parent's router builds the child and attaches it.
    case tree
    /// The parent's router builds the child and never attaches it.
    case unattached
    /// The parent's component or builder provides for the child without attaching it.
    case di
    /// The parent only listens to the child.
    case listener
  }

  package struct Edge: Hashable, Sendable {
    /// The index of the parent.
    package let parent: Int
    /// The index of the child.
    package let child: Int
    package let kind: EdgeKind
    /// The source location of the edge.
    package let path: String
    package let line: Int
  }

  /// Code that could not be resolved.
  package struct Gap: Hashable, Sendable {
    package let path: String
    package let line: Int
    package let message: String
  }

  package internal(set) var nodes: [Node] = []
  /// Ordered by parent, and then by source location.
  package internal(set) var edges: [Edge] = []
  /// Attachments that could not be resolved, and files with syntax errors.
  package internal(set) var gaps: [Gap] = []
  /// The nodes whose router is a `LaunchRouter`, the root of a tree.
  package internal(set) var launched: Set<Int> = []

  /// The ids of the nodes, which commands accept: the name with the module. A RIB keeps its id when others of its name are
  /// added to other modules. The file distinguishes RIBs of a module that share a name.
  package var ids: [String] {
    var ids = nodes.map { $0.module.isEmpty || $0.isExternal ? $0.title : "\($0.name) [\($0.module)]" }
    for form in [\Node.path, \.place] {
      for (_, same) in Dictionary(grouping: nodes.indices, by: { ids[$0] }) where same.count > 1 {
        for index in same { ids[index] = "\(nodes[index].name) [\(nodes[index][keyPath: form])]" }
      }
    }
    return ids
  }

  /// The edges of the given kinds from each node to its children, in their order.
  package func children(_ kinds: Set<EdgeKind>) -> [[Edge]] {
    var children: [[Edge]] = Array(repeating: [], count: nodes.count)
    for edge in edges where kinds.contains(edge.kind) { children[edge.parent].append(edge) }
    return children
  }
}
