// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

extension TreeSnapshot {
  /// The tree as a flowchart for Mermaid.
  ///
  /// Mermaid draws at most 500 edges by default: limit the depth of a larger tree, or draw a subtree. In names and
  /// summaries, all ASCII characters except letters, digits, spaces, periods and commas are written as character
  /// codes.
  ///
  /// - Parameter depth: the number of levels below the root to draw; all if nil.
  /// - Returns: the chart, ending in a newline.
  /// - Complexity: O(*n*) in the number of RIBs.
  public func mermaid(depth: Int? = nil) -> String {
    var text = "flowchart TD\n"
    let lines = TreeOutline(of: nodes, depth: depth).lines
    for line in lines {
      let node = nodes[line.index]
      let label = node.label(hidden: line.hidden).map(\.escapedForMermaid).joined(separator: "<br/>")
      text += "  n\(line.index)[\"\(label)\"]:::\(node.state.rawValue)\n"
    }
    for line in lines {
      if let parent = nodes[line.index].parent { text += "  n\(parent) --> n\(line.index)\n" }
    }
    for state in [State.active, .inactive, .resigning] where lines.contains(where: { nodes[$0.index].state == state }) {
      text += "  classDef \(state.rawValue) \(state.mermaidStyle)\n"
    }
    return text
  }
}

extension TreeSnapshot.Node {
  /// The label of the RIB in a drawing, line by line.
  func label(hidden: Int) -> [String] {
    var lines = [title, stateText]
    lines += [taskCount, workerCount, sleep(at: nil), subscriptionCount, restartCount, summary].compactMap { $0 }
    if hidden > 0 { lines.append("\(hidden) more below") }
    return lines
  }
}

extension TreeSnapshot.State {
  fileprivate var mermaidStyle: String {
    switch self {
    case .active: "fill:#e3f4e8,stroke:#2f8f4e,color:#10301b"
    case .inactive: "fill:#f0f0f0,stroke:#8a8a8a,color:#4a4a4a,stroke-dasharray:4"
    case .resigning: "fill:#fdf0dc,stroke:#c07a1a,color:#4a2f08"
    }
  }
}

extension String {
  /// The text on one line, with character codes for all characters that Mermaid may interpret.
  fileprivate var escapedForMermaid: String {
    var text = ""
    for scalar in escaped().unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",": text.unicodeScalars.append(scalar)
      // Even as a character code, a backslash followed by an n becomes a line break. The invisible word joiner after
      // it prevents that.
      case "\\": text += "#92;#8288;"
      case _ where scalar.value < 0x80: text += "#\(scalar.value);"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
