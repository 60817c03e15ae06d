public import RIBs

extension TreeSnapshot {
  /// The tree as lines of text: one for each RIB, with branches drawn in front.
  ///
  /// ```
  /// Root               active 12s
  /// └─ LoggedIn        active 12s
  ///    └─ Dispatching  active 2s   1 task (DispatchingInteractor.swift:31)
  /// ```
  ///
  /// After the name come what the RIB is doing and for how long, its running work and workers, its subscriptions and its
  /// summary, as far as there are any. Names and summaries can't break out of their line: control characters are
  /// escaped. RIBs below the 40th level are not indented further but have their level in front, so that the text grows
  /// with the number of RIBs only.
  ///
  /// - Parameters:
  ///   - style: the characters that branches are drawn with.
  ///   - depth: how many levels below the root are drawn; all if nil. A RIB whose children are left out says how many
  ///     RIBs are below it.
  /// - Returns: the lines, each with a newline at its end; empty for a tree without RIBs.
  /// - Complexity: linear in the number of RIBs.
  public func text(_ style: TreeTextStyle = .unicode, depth: Int? = nil) -> String {
    TreeText(of: self, style: style, depth: depth).text
  }
}

/// Writes a tree as text.
private struct TreeText {
  /// How many levels are indented.
  private static let deepestIndentation = 40
  /// Wider labels do not push the columns behind them to the right.
  private static let widestColumn = 48

  let nodes: [TreeSnapshot.Node]
  let outline: TreeOutline
  let style: TreeTextStyle

  init(of snapshot: TreeSnapshot, style: TreeTextStyle, depth: Int?) {
    nodes = snapshot.nodes
    outline = TreeOutline(of: nodes, depth: depth)
    self.style = style
  }

  var text: String {
    var cells: [Cells] = []
    cells.reserveCapacity(outline.lines.count)
    var labelWidth = 0
    var stateWidth = 0
    for line in outline.lines {
      let node = nodes[line.index]
      let name = node.name.escaped(style)
      let cell = Cells(name: name, width: width(of: name, at: line.level), state: node.stateText)
      labelWidth = max(labelWidth, cell.width)
      stateWidth = max(stateWidth, cell.state.utf8.count)
      cells.append(cell)
    }
    labelWidth = min(labelWidth, TreeText.widestColumn)
    var text = ""
    text.reserveCapacity(outline.lines.count * (labelWidth + stateWidth + 8))
    // For each level, what goes in front of whatever stands below the RIB last seen there.
    var indentations: [String] = []
    for (line, cell) in zip(outline.lines, cells) {
      writeBranches(to: line, indentations: &indentations, to: &text)
      text += cell.name
      text.append(spaces: max(0, labelWidth - cell.width) + 2)
      text += cell.state
      let details = details(of: line)
      if !details.isEmpty {
        text.append(spaces: stateWidth - cell.state.utf8.count + 2)
        text += details
      }
      text += "\n"
    }
    return text
  }

  /// What stands in the columns of a line.
  private struct Cells {
    let name: String
    /// How many characters the name takes with the branches in front of it.
    let width: Int
    let state: String
  }

  private func width(of name: String, at level: Int) -> Int {
    guard level > TreeText.deepestIndentation else { return level * style.indentation + name.width }
    return TreeText.deepestIndentation * style.indentation + "\(style.ellipsis)\(level) ".width + name.width
  }

  private func writeBranches(to line: TreeOutline.Line, indentations: inout [String], to text: inout String) {
    guard line.level > 0 else {
      indentations = [""]
      return
    }
    guard line.level <= TreeText.deepestIndentation else {
      text += indentations[TreeText.deepestIndentation]
      text += "\(style.ellipsis)\(line.level) "
      return
    }
    indentations.removeLast(indentations.count - line.level)
    let above = indentations[line.level - 1]
    text += above
    text += line.isLast ? style.lastBranch : style.branch
    indentations.append(above + (line.isLast ? style.gap : style.trunk))
  }

  /// What else there is to say of a RIB.
  private func details(of line: TreeOutline.Line) -> String {
    let node = nodes[line.index]
    var parts: [String] = []
    if let count = node.taskCount { parts.append("\(count) (\(names(node.tasks)))") }
    if let count = node.workerCount { parts.append("\(count) (\(names(node.workers)))") }
    if let count = node.subscriptionCount { parts.append(count) }
    if let summary = node.summary { parts.append(summary.escaped(style)) }
    if line.hidden > 0 { parts.append("\(line.hidden) more below") }
    return parts.joined(separator: style.separator)
  }

  private func names(_ names: [String]) -> String { names.map { $0.escaped(style) }.joined(separator: ", ") }
}

extension String {
  /// How many characters a terminal shows, unless some of them are wide.
  fileprivate var width: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : count }

  fileprivate mutating func append(spaces count: Int) {
    append(String(repeating: " ", count: count))
  }
}
