// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Selection {
  /// The trees as text lines with branch symbols.
  package func text() -> String {
    TreeOutline(self).lines.map { line in
      var text = ""
      for (level, hasLater) in line.hasLater.enumerated() {
        let isOwn = level == line.hasLater.count - 1
        text += isOwn ? (hasLater ? "├─ " : "└─ ") : hasLater ? "│  " : "   "
      }
      text += graph.nodes[line.node].title
      let remarks = remarks(on: line)
      if !remarks.isEmpty { text += " (\(remarks.joined(separator: ", ")))" }
      if let summary = summary(of: line.node) { text += ": \(summary)" }
      return text + "\n"
    }.joined()
  }

  /// The trees as a nested Markdown list, the format that `ribs scaffold` reads.
  package func markdown() -> String {
    TreeOutline(self).lines.map { line in
      var text = String(repeating: "  ", count: line.level) + "- " + graph.nodes[line.node].title
      let remarks = remarks(on: line)
      let said =
        (remarks.isEmpty ? [] : [remarks.joined(separator: ", ")]) + (summary(of: line.node).map { [$0] } ?? [])
      if !said.isEmpty { text += ": \(said.joined(separator: "; "))" }
      return text + "\n"
    }.joined()
  }

  /// The trees as a PlantUML mind map.
  package func plantUML() -> String {
    let lines = TreeOutline(self).lines.map { line in
      var text = String(repeating: "*", count: line.level + 1) + " " + graph.nodes[line.node].title
      let remarks = remarks(on: line)
      if !remarks.isEmpty { text += " (\(remarks.joined(separator: ", ")))" }
      if let summary = summary(of: line.node) { text += "\\n\(summary)" }
      return text + "\n"
    }
    return "@startmindmap\n\(lines.joined())@endmindmap\n"
  }
}
