// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rows of an earlier run, as `--json` has written them.
struct SavedRun {
  /// A row of the run.
  struct Row: Decodable {
    let name: String
    let value: Double
    let unit: String
    let ratio: Double?
    let spread: Double?
  }

  /// A smaller change is noise; CONTRIBUTING.md says why.
  static let noise = 0.1

  let rows: [Row]

  init(rows: [Row]) { self.rows = rows }

  init(from file: URL) throws {
    rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
  }

  /// What has changed since this run, as lines in the order of the new rows.
  ///
  /// - Parameter isWhole: whether all cases were measured, so that a missing row is gone.
  func changes(to measurements: [Measurement], isWhole: Bool) -> [String] {
    var lines: [String] = []
    for measurement in measurements {
      guard let old = rows.first(where: { $0.name == measurement.name }) else {
        lines.append("new        \(measurement.name): \(measurement.compared.description)")
        continue
      }
      let change = measurement.change(since: old.compared)
      let limit = max(SavedRun.noise, old.spread ?? 0, measurement.spread ?? 0)
      let word = change > limit ? "changed  " : "unchanged"
      lines.append(
        "\(word)  \(measurement.name): \(old.compared.description) -> \(measurement.compared.description), "
          + "\(Int((change * 100).rounded())) % with \(Int((limit * 100).rounded())) % of noise")
    }
    guard isWhole else { return lines }
    let names = Set(measurements.map(\.name))
    return lines + rows.filter { !names.contains($0.name) }.map { "gone       \($0.name): \($0.compared.description)" }
  }
}

/// What two runs are compared by: a ratio, because the times of two runs differ with the machine; without a baseline, or
/// for what is counted, the value.
struct Compared: CustomStringConvertible {
  let number: Double
  let unit: String?

  init(value: Double, unit: String, ratio: Double?) {
    let isCounted = unit == "bytes" || unit == "instructions" || unit == "RIBs"
    if let ratio, ratio.isFinite, !isCounted {
      number = ratio
      self.unit = nil
    } else {
      number = value
      self.unit = unit
    }
  }

  var description: String {
    let rounded = (number * 100).rounded() / 100
    return unit.map { "\(rounded) \($0)" } ?? "ratio \(rounded)"
  }
}

extension SavedRun.Row {
  var compared: Compared { Compared(value: value, unit: unit, ratio: ratio) }
}

extension Measurement {
  var compared: Compared { Compared(value: value, unit: unit, ratio: ratio) }

  /// The relative difference to an earlier measurement, in proportion to the smaller of the two.
  func change(since old: Compared) -> Double {
    let (new, old) = (abs(compared.number), abs(old.number))
    guard new != old else { return 0 }
    return min(new, old) > 0 ? abs(new - old) / min(new, old) : .infinity
  }
}
