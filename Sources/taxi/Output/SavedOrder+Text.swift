// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TaxiOrder
internal import TaxiSimulation

extension [SavedOrder] {
  /// A line for each order below a line of headings, in columns.
  var table: String {
    let headings = ["ORDER", "STATE", "CHARGED", "TREE", "VERSION", "BYTES"]
    let isNumber = [true, false, true, false, true, true]
    let rows = [headings] + map(\.cells)
    let widths = headings.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return isNumber[column] ? padding + row[column] : row[column] + padding
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }
}

extension SavedOrder {
  fileprivate var cells: [String] {
    guard let contents else { return [id.printable, "damaged", "", "", "", ""] }
    return [
      id.printable, contents.state, contents.charged.map { "\($0)" } ?? "", contents.isAwake ? "awake" : "asleep",
      "\(contents.version)", "\(contents.bytes)",
    ]
  }

  /// A line of JSON. Fields that do not apply are nil.
  private struct Line: Encodable {
    let id: String
    let state: String
    var charged: String?
    var isAwake: Bool?
    var version: UInt64?
    var bytes: Int?
    var reason: String?
  }

  /// A JSON object on one line.
  var json: String {
    let line = Line(
      id: id, state: contents?.state ?? "damaged", charged: contents?.charged.map { "\($0)" },
      isAwake: contents?.isAwake, version: contents?.version, bytes: contents?.bytes, reason: damage)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and integers can always be encoded.
    return (try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? ""
  }
}
