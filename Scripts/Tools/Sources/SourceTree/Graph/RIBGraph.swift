/// The RIBs of some sources, and which of them attach, provide for or listen to which.
package struct RIBGraph: Sendable {
  /// One RIB.
  package struct Node: Hashable, Sendable {
    package let name: String
    /// The module it is in; empty if that is not known.
    package let module: String
    /// The file of its router, or of its builder if it has no router of its own.
    package let path: String
    package let line: Int
    package let router: String?
    package let builder: String?
    package let hasView: Bool
    /// Whether only its builder's name is known, and it is not in the sources.
    package let isExternal: Bool
    package let summary: String?
    /// What tells it from another RIB of the same name; nil if there is none.
    package internal(set) var distinction: String?

    /// The name, with what tells it from others.
    package var title: String { distinction.map { "\(name) [\($0)]" } ?? name }
  }

  package enum EdgeKind: String, CaseIterable, Codable, Sendable {
    /// The router of the one builds the other and attaches it.
    case tree
    /// The component or the builder of the one provides for the other, which it does not attach.
    case di
    /// The one listens to the other, and that is all.
    case listener
  }

  package struct Edge: Hashable, Sendable {
    /// The index of the one.
    package let parent: Int
    /// The index of the other.
    package let child: Int
    package let kind: EdgeKind
    /// Where it is said.
    package let path: String
    package let line: Int
  }

  /// Something that could not be found out.
  package struct Gap: Hashable, Sendable {
    package let path: String
    package let line: Int
    package let message: String
  }

  package internal(set) var nodes: [Node] = []
  /// Ordered by their parents, and there by where they are said.
  package internal(set) var edges: [Edge] = []
  /// What is attached and could not be resolved, and what is no Swift.
  package internal(set) var gaps: [Gap] = []
  /// The nodes that a router of the runtime's makes the root of a tree.
  package internal(set) var launched: Set<Int> = []

  /// The children of each node over edges of some kinds, in the order of the edges.
  package func children(_ kinds: Set<EdgeKind>) -> [[Edge]] {
    var children: [[Edge]] = Array(repeating: [], count: nodes.count)
    for edge in edges where kinds.contains(edge.kind) { children[edge.parent].append(edge) }
    return children
  }
}
