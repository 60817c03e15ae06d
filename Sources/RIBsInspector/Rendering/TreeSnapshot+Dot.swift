// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

extension TreeSnapshot {
  /// The tree as a graph in the DOT language of Graphviz: `dot -Tsvg tree.dot > tree.svg`.
  ///
  /// - Parameter depth: the number of levels below the root to draw; all if nil.
  /// - Returns: the graph, ending in a newline.
  /// - Complexity: O(*n*) in the number of RIBs.
  public func dot(depth: Int? = nil) -> String {
    var text = """
      digraph tree {
        node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11, color="#2f8f4e", fillcolor="#e3f4e8"];
        edge [arrowsize=0.6, color="#808080"];

      """
    let lines = TreeOutline(of: nodes, depth: depth).lines
    for line in lines {
      let node = nodes[line.index]
      let label = node.label(hidden: line.hidden).map(\.escapedForDot).joined(separator: "\\n")
      text += "  n\(line.index) [label=\"\(label)\"\(node.state.dotStyle)];\n"
    }
    for line in lines {
      if let parent = nodes[line.index].parent { text += "  n\(parent) -> n\(line.index);\n" }
    }
    return text + "}\n"
  }
}

extension TreeSnapshot.State {
  fileprivate var dotStyle: String {
    switch self {
    case .active: ""
    case .inactive: ", style=\"rounded,dashed\", color=\"#8a8a8a\", fontcolor=\"#4a4a4a\""
    case .resigning: ", color=\"#c07a1a\", fillcolor=\"#fdf0dc\""
    }
  }
}

extension String {
  /// The text on one line, escaped for a quoted label, in which Graphviz interprets escapes and HTML entities.
  fileprivate var escapedForDot: String {
    var text = ""
    for scalar in escaped().unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "&": text += "&amp;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
