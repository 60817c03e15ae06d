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

  private let words: [String]
  private let workspace: Workspace
  private let edges: Set<Edge>

  /// Reads the relations.
  ///
  /// - Parameter words: the names that the edit is about. Files that mention none of them have relations that it can't
  ///   change, and are not parsed.
  init(_ workspace: Workspace, mentioning words: [String]) {
    self.words = words
    self.workspace = workspace
    edges = TreeCheck.edges(workspace, words)
  }

  private static func edges(_ workspace: Workspace, _ words: [String]) -> Set<Edge> {
    let paths = Set(words.flatMap { workspace.paths(mentioning: $0) }).filter { !workspace.isTest($0) }.sorted()
    let graph = GraphBuilder(facts(of: paths, in: workspace)).graph()
    return Set(
      graph.edges.map {
        Edge(parent: graph.nodes[$0.parent].name, child: graph.nodes[$0.child].name, kind: $0.kind)
      })
  }

  /// The facts of some files, with the modules of their targets.
  static func facts(of paths: [String], in workspace: Workspace) -> [FileFacts] {
    paths.compactMap { try? workspace.source(at: $0) }.map { file in
      var facts = FactsReader.facts(of: file)
      facts.module = workspace.package?.target(of: file.path)?.name ?? ""
      return facts
    }
  }

  /// Throws unless the edit has taken a child from a parent, and nothing else.
  func expectRemoved(_ child: RIBName, from parent: RIBName) throws {
    func isMeant(_ edge: Edge) -> Bool { edge.parent == parent.text && edge.child == child.text }
    let now = TreeCheck.edges(workspace, words)
    try refuse(edges.filter { !isMeant($0) }, now.filter { !isMeant($0) || $0.kind == .tree })
  }

  /// Throws unless the edit has added a child to a parent, and nothing else. It may provide for the child by RIBs above.
  func expectAdded(_ child: RIBName, to parent: RIBName) throws {
    func isOther(_ edge: Edge) -> Bool {
      edge.kind == .tree && (edge.parent != parent.text || edge.child != child.text)
    }
    try refuse(edges.filter(isOther), TreeCheck.edges(workspace, words).filter(isOther))
  }

  /// Throws unless the edit has changed a RIB's name in all relations, and nothing else.
  func expectRenamed(_ old: RIBName, to new: RIBName) throws {
    let renamed = edges.map { edge in
      var edge = edge
      if edge.parent == old.text { edge.parent = new.text }
      if edge.child == old.text { edge.child = new.text }
      return edge
    }
    try refuse(Set(renamed), TreeCheck.edges(workspace, words))
  }

  private func refuse(_ expected: Set<Edge>, _ found: Set<Edge>) throws {
    guard expected != found else { return }
    let lost = expected.subtracting(found).map { "would be gone: " + $0.text }
    let more = found.subtracting(expected).map { "would be there: " + $0.text }
    throw Failure.refused(
      "the edit would change the tree in other ways than it should", advice: lost.sorted() + more.sorted())
  }
}
