// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The rows of a case, with what disturbed their measurement.
struct MeasuredCase {
  /// Others that keep more than this many cores busy disturb a measurement.
  static let disturbance = 0.1

  private(set) var rows: [Measurement]
  /// The number of cores that other programs kept busy; nil if it is unknown.
  let others: Double?

  var isDisturbed: Bool { others.map { $0 > MeasuredCase.disturbance } ?? false }

  /// Measures a case once.
  init(_ measure: () async throws -> [Measurement]) async throws {
    let start = MachineLoad()
    rows = try await measure()
    others = start.flatMap { start in MachineLoad().map { $0.others(since: start) } }
    for index in rows.indices { rows[index].others = others }
  }

  /// The rows of the less disturbed of two measurements of a case, each with the difference between the two.
  func combined(with other: MeasuredCase) -> [Measurement] {
    let (better, worse) = (others ?? 0) <= (other.others ?? 0) ? (self, other) : (other, self)
    return better.rows.map { row in
      var row = row
      row.spread = worse.rows.first { $0.name == row.name }.map { row.change(since: $0.compared) }
      return row
    }
  }
}
