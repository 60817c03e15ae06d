// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Measurements in aligned columns, as text or Markdown.
struct Table: CustomStringConvertible {
  enum Style { case text, markdown }

  let measurements: [Measurement]
  let style: Style

  var description: String {
    let titles = ["", "measured", "baseline", "ratio", "others", "target", "met"]
    let rows = [titles] + measurements.map(Table.row)
    let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = cells.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 || column > 4 ? cell + space : space + cell
      }
      return switch style {
      case .text: Table.trimmed(padded.joined(separator: "  "))
      case .markdown: "| " + padded.joined(separator: " | ") + " |"
      }
    }
    var lines = rows.map(line)
    if style == .markdown { lines.insert("|---|---:|---:|---:|---:|---|---|", at: 1) }
    return lines.joined(separator: "\n")
  }

  private static func row(_ measurement: Measurement) -> [String] {
    let met = measurement.met.map { $0 ? "yes" : "no" } ?? ""
    return [
      measurement.name, number(measurement.value) + " " + measurement.unit,
      measurement.baseline.isFinite ? number(measurement.baseline) + " " + measurement.unit : "",
      measurement.ratio.isFinite ? hundredths(measurement.ratio) : "",
      measurement.others.map { hundredths($0) + ($0 > MeasuredCase.disturbance ? " cores!" : " cores") } ?? "",
      measurement.target?.description ?? "", met,
    ]
  }

  /// A number with one decimal below 100, and none from there on.
  private static func number(_ value: Double) -> String {
    value < 100 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
  }

  private static func hundredths(_ ratio: Double) -> String {
    let hundredths = Int((ratio * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
