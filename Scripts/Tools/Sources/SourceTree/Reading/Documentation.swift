// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// Reads the comments before a declaration.
enum Documentation {
  /// The text after `SUMMARY:` in a comment, or the first sentence of the documentation.
  static func summary(of node: some SyntaxProtocol) -> (text: String?, isMarked: Bool) {
    var lines: [String] = []
    for piece in node.leadingTrivia {
      switch piece {
      case .lineComment(let text):
        if let said = said(text.dropFirst(2)) { return (said, true) }
      case .docLineComment(let text): lines.append(trimmed(text.dropFirst(3)))
      case .docBlockComment(let text):
        lines += text.dropFirst(3).dropLast(2).split(whereSeparator: \.isNewline).map { line in
          let line = trimmed(line)
          return line.hasPrefix("*") ? trimmed(line.dropFirst()) : line
        }
      case .blockComment(let text):
        for line in text.dropFirst(2).dropLast(2).split(whereSeparator: \.isNewline) {
          if let said = said(line) { return (said, true) }
        }
      default: break
      }
    }
    return (firstSentence(of: lines), false)
  }

  private static func said(_ line: Substring) -> String? {
    let line = trimmed(line)
    guard line.hasPrefix("SUMMARY:") else { return nil }
    return trimmed(line.dropFirst("SUMMARY:".count))
  }

  private static func firstSentence(of lines: [String]) -> String? {
    let paragraph = lines.drop { $0.isEmpty }.prefix { !$0.isEmpty && !$0.hasPrefix("- ") && !$0.hasPrefix("```") }
    let text = paragraph.joined(separator: " ")
    if text.isEmpty { return nil }
    guard let end = text.firstRange(of: ". ")?.lowerBound else {
      return text.hasSuffix(".") || text.hasSuffix(":") ? String(text.dropLast()) : text
    }
    return String(text[..<end])
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var text = Substring(text)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
