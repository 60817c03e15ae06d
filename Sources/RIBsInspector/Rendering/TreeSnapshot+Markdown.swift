public import RIBs

extension TreeSnapshot {
  /// The tree as a nested list in Markdown.
  ///
  /// ```
  /// - **Root** active 12s
  ///   - **LoggedIn** active 12s, 1 task: `LoggedInInteractor.swift:20`
  /// ```
  ///
  /// RIBs below the 40th level are not nested further but have their level in front. Whatever is punctuation for
  /// Markdown is escaped in names and summaries, so that they are shown as they are.
  ///
  /// - Parameter depth: how many levels below the root are written; all if nil.
  /// - Returns: the lines, each with a newline at its end; empty for a tree without RIBs.
  /// - Complexity: linear in the number of RIBs.
  public func markdown(depth: Int? = nil) -> String {
    let deepest = 40
    var text = ""
    for line in TreeOutline(of: nodes, depth: depth).lines {
      let node = nodes[line.index]
      text += String(repeating: "  ", count: min(line.level, deepest)) + "- "
      if line.level > deepest { text += "(level \(line.level)) " }
      var parts = ["**\(node.name.escapedForMarkdown)** \(node.stateText)"]
      if let count = node.taskCount { parts.append("\(count): \(node.tasks.codeSpans)") }
      if let count = node.workerCount { parts.append("\(count): \(node.workers.codeSpans)") }
      if let count = node.subscriptionCount { parts.append(count) }
      if let summary = node.summary { parts.append("*\(summary.escapedForMarkdown)*") }
      if line.hidden > 0 { parts.append("\(line.hidden) more below") }
      text += parts.joined(separator: ", ") + "\n"
    }
    return text
  }
}

extension String {
  /// The text on one line, as Markdown shows it literally.
  fileprivate var escapedForMarkdown: String {
    var text = ""
    for scalar in escaped().unicodeScalars {
      if scalar.isMarkup { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    // Emphasis can't be opened or closed beside a space, and nothing can be emphasised that is empty.
    let isLoose = text.isEmpty || text.first?.isWhitespace == true || text.last?.isWhitespace == true
    return isLoose ? "&#8203;\(text)&#8203;" : text
  }

  /// The text on one line as a code span, in which nothing is markup; fenced by more backticks than it has in a row.
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
  /// Whether it may mean something in Markdown. Every ASCII punctuation mark may be escaped; these need be.
  fileprivate var isMarkup: Bool {
    switch self {
    case "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "#", "|", "~", "&", "$", "@", ":", "!", "=", "^": true
    default: false
    }
  }
}
