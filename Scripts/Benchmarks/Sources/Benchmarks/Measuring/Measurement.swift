// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// One line of the table: a measurement and its baseline.
struct Measurement: Sendable {
  let name: String
  /// The measured value, in `unit`.
  let value: Double
  /// `ns`, `µs`, `ms`, `bytes`, `RIBs`, `instructions` or `/s`.
  let unit: String
  /// The baseline measured in the same run, in `unit`; not a number if there is none.
  let baseline: Double
  let target: Target?
  /// The number of cores that other programs kept busy meanwhile; nil if it is unknown.
  var others: Double?
  /// The relative difference between two measurements, if the first was disturbed.
  var spread: Double?

  init(_ name: String, _ value: Double, over baseline: Double, unit: String = "ns", _ target: Target? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.baseline = baseline
    self.target = target
  }

  init(_ name: String, _ comparison: Comparison, _ target: Target? = nil) {
    self.init(name, comparison.value, over: comparison.baseline, target)
  }

  /// A value without a baseline.
  init(_ name: String, _ value: Double, unit: String, _ target: Target? = nil) {
    self.init(name, value, over: .nan, unit: unit, target)
  }

  var ratio: Double { value / baseline }

  /// Whether the target is met; nil if there is none.
  var met: Bool? { target.map { $0.isMet(by: self) } }
}

extension Measurement: Encodable {
  private enum CodingKeys: CodingKey {
    case name, value, unit, baseline, ratio, target, met, others, spread
  }

  /// Encodes the target as text, `ratio <= 1.5`, and what there is not as null.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(value, forKey: .value)
    try container.encode(unit, forKey: .unit)
    try container.encode(baseline.isFinite ? baseline : nil, forKey: .baseline)
    try container.encode(ratio.isFinite ? ratio : nil, forKey: .ratio)
    try container.encode(target?.description, forKey: .target)
    try container.encode(met, forKey: .met)
    try container.encode(others, forKey: .others)
    try container.encode(spread, forKey: .spread)
  }
}
