// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The differences between two texts in the format of `diff -u`.
public enum UnifiedDiff {
  private static let context = 3

  /// The difference for one file; empty if there is none.
  ///
  /// - Parameters:
  ///   - before: the old text; nil if the file is new.
  ///   - after: the new text; nil if the file is deleted.
  /// - Complexity: O(*n* · *d*), where *n* is the number of lines and *d* the number of differences.
  public static func text(path: String, before: String?, after: String?) -> String {
    if before == after { return "" }
    let lines = merged(Self.lines(of: before ?? ""), Self.lines(of: after ?? ""))
    var text = "--- \(before == nil ? "/dev/null" : "a/\(path)")\n+++ \(after == nil ? "/dev/null" : "b/\(path)")\n"
    for hunk in hunks(of: lines) { text += header(of: hunk, in: lines) + body(of: hunk, in: lines) }
    return text
  }

  private enum Side { case both, old, new }

  private struct Line {
    let side: Side
    let text: Substring
  }

  /// The lines with their line endings. `\r\n` is one character, so lines are split in UTF-8.
  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var start = text.startIndex
    for index in text.utf8.indices where text.utf8[index] == UInt8(ascii: "\n") {
      let end = text.utf8.index(after: index)
      lines.append(text[start..<end])
      start = end
    }
    if start < text.endIndex { lines.append(text[start...]) }
    return lines
  }

  private static func merged(_ old: [Substring], _ new: [Substring]) -> [Line] {
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [Line] = []
    var oldIndex = 0
    var newIndex = 0
    while oldIndex < old.count || newIndex < new.count {
      if removed.contains(oldIndex) {
        lines.append(Line(side: .old, text: old[oldIndex]))
        oldIndex += 1
      } else if inserted.contains(newIndex) {
        lines.append(Line(side: .new, text: new[newIndex]))
        newIndex += 1
      } else {
        lines.append(Line(side: .both, text: old[oldIndex]))
        oldIndex += 1
        newIndex += 1
      }
    }
    return lines
  }

  /// Ranges of changed lines, with their context.
  private static func hunks(of lines: [Line]) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in lines.indices where lines[index].side != .both {
      let range = max(0, index - context)..<min(lines.count, index + context + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private static func header(of hunk: Range<Int>, in lines: [Line]) -> String {
    func span(without other: Side) -> String {
      let start = lines[..<hunk.lowerBound].count { $0.side != other }
      let count = lines[hunk].count { $0.side != other }
      return count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
    }
    return "@@ -\(span(without: .new)) +\(span(without: .old)) @@\n"
  }

  private static func body(of hunk: Range<Int>, in lines: [Line]) -> String {
    lines[hunk].map { line in
      let mark =
        switch line.side {
        case .both: " "
        case .old: "-"
        case .new: "+"
        }
      let isWhole = line.text.utf8.last == UInt8(ascii: "\n")
      return mark + line.text + (isWhole ? "" : "\n\\ No newline at end of file\n")
    }.joined()
  }
}
