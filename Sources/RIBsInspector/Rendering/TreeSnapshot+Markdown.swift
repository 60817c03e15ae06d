// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

extension TreeSnapshot {
  /// The tree as a nested list in Markdown.
  ///
  /// ```
  /// - **Root** active 12s
  ///   - **LoggedIn** active 12s, 1 task: `LoggedInInteractor.swift:20`
  /// ```
  ///
  /// If the tree has a name or labels, they are above the list.
  ///
  /// RIBs below level 40 are not nested further but have their level in front. Punctuation that Markdown interprets
  /// is escaped in names and summaries.
  ///
  /// - Parameter depth: the number of levels below the root to write; all if nil.
  /// - Returns: the lines, each ending in a newline; empty for a tree without RIBs.
  /// - Complexity: O(*n*) in the number of RIBs.
  public func markdown(depth: Int? = nil) -> String {
    let deepest = 40
    var text = nodes.isEmpty ? "" : title.map { "\($0.escapedForMarkdown):\n\n" } ?? ""
    for line in TreeOutline(of: nodes, depth: depth).lines {
      let node = nodes[line.index]
      text += String(repeating: "  ", count: min(line.level, deepest)) + "- "
      if line.level > deepest { text += "(level \(line.level)) " }
      var parts = ["**\(node.title.escapedForMarkdown)** \(node.stateText)"]
      if let count = node.taskCount { parts.append("\(count): \(node.tasks.codeSpans)") }
      if let count = node.workerCount { parts.append("\(count): \(node.workers.codeSpans)") }
      if let sleep = node.sleep(at: wallTime) { parts.append(sleep) }
      if let count = node.subscriptionCount { parts.append(count) }
      if let count = node.restartCount { parts.append(count) }
      if let summary = node.summary { parts.append("*\(summary.escapedForMarkdown)*") }
      if line.hidden > 0 { parts.append("\(line.hidden) more below") }
      text += parts.joined(separator: ", ") + "\n"
    }
    return text
  }
}

extension String {
  /// The text on one line, escaped for Markdown.
  fileprivate var escapedForMarkdown: String {
    var text = ""
    for scalar in escaped().unicodeScalars {
      if scalar.isMarkup { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    // Emphasis can't start or end at a space, and can't be empty.
    let isLoose = text.isEmpty || text.first?.isWhitespace == true || text.last?.isWhitespace == true
    return isLoose ? "&#8203;\(text)&#8203;" : text
  }

  /// The text on one line as a code span, delimited by more backticks than it contains in a row.
  fileprivate var codeSpan: String {
    let text = escaped()
    var (longest, current) = (0, 0)
    for character in text.utf8 {
      current = character == UInt8(ascii: "`") ? current + 1 : 0
      longest = max(longest, current)
    }
    let fence = String(repeating: "`", count: longest + 1)
    return longest == 0 && !text.hasPrefix(" ") && !text.isEmpty ? "`\(text)`" : "\(fence) \(text) \(fence)"
  }
}

extension [String] {
  fileprivate var codeSpans: String { map(\.codeSpan).joined(separator: ", ") }
}

extension Unicode.Scalar {
  /// Whether Markdown may interpret the character.
  fileprivate var isMarkup: Bool {
    switch self {
    case "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "#", "|", "~", "&", "$", "@", ":", "!", "=", "^": true
    default: false
    }
  }
}
