// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SourceTree

/// The relations between RIBs in the files that concern an edit, to check that it has changed only what it was to change.
struct TreeCheck {
  private struct Edge: Hashable {
    var parent: String
    var child: String
    let kind: RIBGraph.EdgeKind

    var text: String { "\(parent) > \(child)\(kind == .tree ? "" : " (\(kind.rawValue))")" }
  }

  /// RIBs and their relations.
  private struct Tree {
    var ribs: Set<String> = []
    var edges: Set<Edge> = []
  }

  private let words: [String]
  private let workspace: Workspace
  private let paths: Set<String>
  private let tree: Tree

  private var edges: Set<Edge> { tree.edges }

  /// Reads the relations.
  ///
  /// - Parameter words: the names that the edit is about. Files that mention none of them have relations that it can't
  ///   change, and are not parsed.
  init(_ workspace: Workspace, mentioning words: [String]) {
    self.words = words
    self.workspace = workspace
    paths = Set(words.flatMap { workspace.paths(mentioning: $0) })
    tree = TreeCheck.tree(workspace, paths)
  }

  private static func tree(_ workspace: Workspace, _ paths: Set<String>) -> Tree {
    let graph = GraphBuilder(facts(of: paths.filter { !workspace.isTest($0) }.sorted(), in: workspace)).graph()
    return Tree(
      ribs: Set(graph.nodes.filter { !$0.isExternal }.map(\.name)),
      edges: Set(
        graph.edges.map {
          Edge(parent: graph.nodes[$0.parent].name, child: graph.nodes[$0.child].name, kind: $0.kind)
        }))
  }

  /// The relations after the edit, also in files that do not mention a name any more.
  private func now() -> Tree {
    TreeCheck.tree(workspace, paths.union(words.flatMap { workspace.paths(mentioning: $0) }))
  }

  /// The facts of some files, with the modules of their targets.
  static func facts(of paths: [String], in workspace: Workspace) -> [FileFacts] {
    paths.compactMap { try? workspace.source(at: $0) }.map { file in
      var facts = FactsReader.facts(of: file)
      facts.module = workspace.package?.target(of: file.path)?.module ?? ""
      return facts
    }
  }

  /// Throws unless the edit has taken a child from a parent, and nothing else.
  func expectRemoved(_ child: RIBName, from parent: RIBName) throws {
    func isMeant(_ edge: Edge) -> Bool { edge.parent == parent.text && edge.child == child.text }
    let now = now().edges
    try refuse(edges.filter { !isMeant($0) }, now.filter { !isMeant($0) || $0.kind == .tree })
  }

  /// Throws unless the edit has added a child to a parent, and nothing else. It may provide for the child by RIBs above.
  func expectAdded(_ child: RIBName, to parent: RIBName) throws {
    func isOther(_ edge: Edge) -> Bool {
      edge.kind == .tree && (edge.parent != parent.text || edge.child != child.text)
    }
    try refuse(edges.filter(isOther), now().edges.filter(isOther))
  }

  /// Throws unless the edit has changed a RIB's name in all relations, and nothing else.
  func expectRenamed(_ old: RIBName, to new: RIBName) throws {
    let renamed = edges.map { edge in
      var edge = edge
      if edge.parent == old.text { edge.parent = new.text }
      if edge.child == old.text { edge.child = new.text }
      return edge
    }
    try refuse(Set(renamed), now().edges)
  }

  /// Throws unless the edit has taken a RIB from the tree with all its relations, and nothing else.
  func expectRemoved(_ rib: RIBName) throws {
    let now = now()
    try refuse(edges.filter { $0.parent != rib.text && $0.child != rib.text }, now.edges)
    let lost = tree.ribs.subtracting(now.ribs).subtracting([rib.text])
    guard lost.isEmpty else {
      throw Failure.refused(
        "with '\(rib)', other RIBs would be gone", advice: lost.sorted().map { "'\($0)' is declared in the same files" }
      )
    }
  }

  private func refuse(_ expected: Set<Edge>, _ found: Set<Edge>) throws {
    guard expected != found else { return }
    let lost = expected.subtracting(found).map { "would be gone: " + $0.text }
    let more = found.subtracting(expected).map { "would be there: " + $0.text }
    throw Failure.refused(
      "the edit would change the tree in other ways than it should", advice: lost.sorted() + more.sorted())
  }
}
