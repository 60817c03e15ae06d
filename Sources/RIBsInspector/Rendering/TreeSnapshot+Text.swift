// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

extension TreeSnapshot {
  /// The tree as lines of text, one for each RIB, with drawn branches.
  ///
  /// ```
  /// Root               active 12s
  /// └─ LoggedIn        active 12s
  ///    └─ Dispatching  active 2s   1 task (DispatchingInteractor.swift:31)
  /// ```
  ///
  /// If the tree has a name or labels, they are on a line above: `order-17 plan=free`.
  ///
  /// The name, with the label of the RIB, if it has one, is followed by the state and its age, running tasks and workers,
  /// the wall time until which work sleeps, subscriptions, restarts and summary, if any.
  /// Control characters in names and summaries are escaped. RIBs below level 40 are not indented further but have
  /// their level in front, so that the size of the text is linear in the number of RIBs.
  ///
  /// - Parameters:
  ///   - style: the characters that branches are drawn with.
  ///   - depth: the number of levels below the root to draw; all if nil. The number of omitted RIBs is shown.
  /// - Returns: the lines, each ending in a newline; empty for a tree without RIBs.
  /// - Complexity: O(*n*) in the number of RIBs.
  public func text(_ style: TreeTextStyle = .unicode, depth: Int? = nil) -> String {
    TreeText(of: self, style: style, depth: depth).text
  }
}

extension TreeSnapshot {
  /// The name and the labels of the tree on one line; nil if it has neither.
  var title: String? {
    let title = ((name.map { [$0] } ?? []) + labels.lines).joined(separator: " ")
    return title.isEmpty ? nil : title
  }
}

extension [String: String] {
  /// The labels in order, each as `plan=free`.
  var lines: [String] { sorted { $0.key < $1.key }.map { "\($0)=\($1)" } }
}

/// Writes a tree as text.
private struct TreeText {
  /// The number of levels that are indented.
  private static let deepestIndentation = 40
  /// The maximum width of the label column. Wider labels overflow it.
  private static let widestColumn = 48

  let nodes: [TreeSnapshot.Node]
  let title: String?
  let wallTime: WallTime?
  let outline: TreeOutline
  let style: TreeTextStyle

  init(of snapshot: TreeSnapshot, style: TreeTextStyle, depth: Int?) {
    nodes = snapshot.nodes
    wallTime = snapshot.wallTime
    title = nodes.isEmpty ? nil : snapshot.title
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
      let name = node.title.escaped(style)
      let cell = Cells(name: name, width: width(of: name, at: line.level), state: node.stateText)
      labelWidth = max(labelWidth, cell.width)
      stateWidth = max(stateWidth, cell.state.utf8.count)
      cells.append(cell)
    }
    labelWidth = min(labelWidth, TreeText.widestColumn)
    var text = ""
    text.reserveCapacity(outline.lines.count * (labelWidth + stateWidth + 8))
    if let title { text += title.escaped(style) + "\n" }
    // For each level, the indentation of the descendants of the last RIB at that level.
    var indentations: [String] = []
    for (line, cell) in zip(outline.lines, cells) {
      writeBranches(to: line, indentations: &indentations, to: &text)
      text += cell.name
      text.append(spaces: max(0, labelWidth - cell.width) + 2)
      text += style.painted(cell.state, color(of: nodes[line.index].state))
      let details = details(of: line)
      if !details.isEmpty {
        text.append(spaces: stateWidth - cell.state.utf8.count + 2)
        text += details
      }
      text += "\n"
    }
    return text
  }

  /// The columns of a line.
  private struct Cells {
    let name: String
    /// The width of the name with its branches, in characters.
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
      text += style.painted(indentations[TreeText.deepestIndentation] + "\(style.ellipsis)\(line.level) ", .dim)
      return
    }
    indentations.removeLast(indentations.count - line.level)
    let above = indentations[line.level - 1]
    text += style.painted(above + (line.isLast ? style.lastBranch : style.branch), .dim)
    indentations.append(above + (line.isLast ? style.gap : style.trunk))
  }

  /// The remaining details of a RIB.
  private func details(of line: TreeOutline.Line) -> String {
    let node = nodes[line.index]
    var parts: [String] = []
    if let count = node.taskCount { parts.append("\(count) (\(names(node.tasks)))") }
    if let count = node.workerCount { parts.append("\(count) (\(names(node.workers)))") }
    if let sleep = node.sleep(at: wallTime) { parts.append(sleep) }
    if let count = node.subscriptionCount { parts.append(count) }
    if let count = node.restartCount { parts.append(style.painted(count, .yellow)) }
    if let summary = node.summary { parts.append(summary.escaped(style)) }
    if line.hidden > 0 { parts.append("\(line.hidden) more below") }
    return parts.joined(separator: style.separator)
  }

  private func color(of state: TreeSnapshot.State) -> TreeTextStyle.Color? {
    switch state {
    case .inactive: .dim
    case .active: nil
    case .resigning: .yellow
    }
  }

  private func names(_ names: [String]) -> String { names.map { $0.escaped(style) }.joined(separator: ", ") }
}

extension String {
  /// The width in a terminal, assuming no wide characters.
  fileprivate var width: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : count }

  fileprivate mutating func append(spaces count: Int) {
    append(String(repeating: " ", count: count))
  }
}
