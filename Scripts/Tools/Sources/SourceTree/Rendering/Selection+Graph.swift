// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Selection {
  /// The graph as a Mermaid flowchart.
  package func mermaid() -> String {
    var text = "flowchart TD\n"
    for node in nodes {
      var label = graph.nodes[node].title
      if let summary = summary(of: node) { label += "<br/>\(summary)" }
      let isExternal = graph.nodes[node].isExternal
      let quoted = label.replacingOccurrences(of: "\"", with: "#quot;")
      text += "  n\(node)\(isExternal ? "([" : "[")\"\(quoted)\"\(isExternal ? "])" : "]")\n"
    }
    for edge in edges {
      let arrow =
        switch edge.kind {
        case .tree: "-->"
        case .unattached: "-. unattached .->"
        case .di: "-. di .->"
        case .listener: "-. listener .->"
        }
      text += "  n\(edge.parent) \(arrow) n\(edge.child)\n"
    }
    return text
  }

  /// The graph in the DOT language of Graphviz.
  package func dot() -> String {
    func quoted(_ text: String) -> String {
      text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    }
    var text = """
      digraph ribs {
        node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11, color="#2f6f9f", fillcolor="#e6f1f9"];
        edge [arrowsize=0.6, color="#808080", fontname="Helvetica", fontsize=9];

      """
    for node in nodes {
      var label = quoted(graph.nodes[node].title)
      if let summary = summary(of: node) { label += "\\n\(quoted(summary))" }
      text += "  n\(node) [label=\"\(label)\"\(graph.nodes[node].isExternal ? ", style=\"rounded,dashed\"" : "")];\n"
    }
    for edge in edges {
      let style = edge.kind == .tree ? "" : " [style=dashed, label=\"\(edge.kind.rawValue)\"]"
      text += "  n\(edge.parent) -> n\(edge.child)\(style);\n"
    }
    return text + "}\n"
  }

  private struct Document: Encodable {
    struct RIB: Encodable {
      /// The id that edges use, and that commands accept.
      let id: String
      let name: String
      let module: String?
      let file: String?
      let router: String?
      let builder: String?
      let hasView: Bool
      let summary: String?
    }

    struct Edge: Encodable {
      let parent: String
      let child: String
      let kind: RIBGraph.EdgeKind
      let file: String
      let line: Int
    }

    struct Gap: Encodable {
      let file: String
      let line: Int
      let message: String
    }

    /// The version of the format. A change that readers have to know increases it; new keys do not.
    let version = 2
    let roots: [String]
    let ribs: [RIB]
    let edges: [Edge]
    let unresolved: [Gap]
  }

  /// The graph as JSON. Roots and edges refer to RIBs by id.
  package func json() throws -> String {
    let ids = graph.ids
    let document = Document(
      roots: roots.map { ids[$0] },
      ribs: nodes.map { index in
        let node = graph.nodes[index]
        return Document.RIB(
          id: ids[index], name: node.name, module: node.module.isEmpty ? nil : node.module,
          file: node.isExternal ? nil : node.path,
          router: node.router, builder: node.builder, hasView: node.hasView, summary: node.summary)
      },
      edges: edges.map { edge in
        Document.Edge(
          parent: ids[edge.parent], child: ids[edge.child], kind: edge.kind,
          file: edge.path, line: edge.line)
      },
      unresolved: graph.gaps.map { Document.Gap(file: $0.path, line: $0.line, message: $0.message) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }
}
