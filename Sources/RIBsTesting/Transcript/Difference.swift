// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A readable difference of two lists of lines.
struct Difference: CustomStringConvertible {
  private let lines: [String]

  /// Marks lines only in `expected` with `-`, and lines only in `actual` with `+`.
  init(expected: [String], actual: [String]) {
    let difference = actual.difference(from: expected)
    var missing: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): missing.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [String] = []
    var (left, right) = (0, 0)
    while left < expected.count || right < actual.count {
      if missing.contains(left) {
        lines.append("  - " + expected[left])
        left += 1
      } else if added.contains(right) {
        lines.append("  + " + actual[right])
        right += 1
      } else {
        lines.append("    " + actual[right])
        left += 1
        right += 1
      }
    }
    self.lines = lines
  }

  var description: String { lines.joined(separator: "\n") }
}

extension String {
  /// The non-empty lines, without trailing whitespace.
  var nonEmptyLines: [String] {
    split(whereSeparator: \.isNewline).map { line in
      String(line.reversed().drop(while: \.isWhitespace).reversed())
    }.filter { !$0.isEmpty }
  }
}
