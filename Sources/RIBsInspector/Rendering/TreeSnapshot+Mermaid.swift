public import RIBs

extension TreeSnapshot {
  /// The tree as a flowchart for Mermaid.
  ///
  /// Mermaid itself draws no more than 500 edges unless it is configured to: limit the depth of a larger tree, or draw a
  /// part of it. Whatever is not a letter, a digit or a harmless mark is written as a character code in names and
  /// summaries.
  ///
  /// - Parameter depth: how many levels below the root are drawn; all if nil.
  /// - Returns: the chart, with a newline at its end.
  /// - Complexity: linear in the number of RIBs.
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
  /// What a drawing says of the RIB, line by line.
  func label(hidden: Int) -> [String] {
    var lines = [name, stateText]
    lines += [taskCount, workerCount, subscriptionCount, summary].compactMap { $0 }
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
  /// The text on one line, with character codes for everything that Mermaid may take for its own.
  fileprivate var escapedForMermaid: String {
    var text = ""
    for scalar in escaped().unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",": text.unicodeScalars.append(scalar)
      // Followed by an n it would be a new line to Mermaid, even so: the code after it is for nothing, and not seen.
      case "\\": text += "#92;#8288;"
      case _ where scalar.value < 0x80: text += "#\(scalar.value);"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
