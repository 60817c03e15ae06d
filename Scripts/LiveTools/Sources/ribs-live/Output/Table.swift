// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Rows of text in aligned columns, below a heading.
struct Table {
  private var rows: [[String]]
  /// The columns whose cells are aligned to the right.
  private let numbers: Set<Int>

  /// - Parameter columns: the titles; one that ends in `#` has numbers.
  init(_ columns: [String]) {
    numbers = Set(columns.indices.filter { columns[$0].hasSuffix("#") })
    rows = [columns.map { $0.hasSuffix("#") ? String($0.dropLast()) : $0 }]
  }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  func text(_ colors: Colors = .standard) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.enumerated().map { index, row in
      let cells = row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return numbers.contains(column) ? space + row[column] : row[column] + space
      }
      var line = cells.joined(separator: "  ")[...]
      while line.last == " " { line.removeLast() }
      return (index == 0 ? colors(.bold, String(line)) : String(line)) + "\n"
    }.joined()
  }
}
