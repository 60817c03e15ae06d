/// One line of the table: a measurement and its baseline.
struct Measurement: Sendable {
  let name: String
  /// The measured value, in `unit`.
  let value: Double
  /// `ns`, `µs`, `ms`, `bytes`, `instructions` or `/s`.
  let unit: String
  /// The baseline measured in the same run, in `unit`.
  let baseline: Double
  let target: Target?

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

  var ratio: Double { value / baseline }

  /// Whether the target is met; nil if there is none.
  var met: Bool? { target.map { $0.isMet(by: self) } }
}

extension Measurement: Encodable {
  private enum CodingKeys: CodingKey {
    case name, value, unit, baseline, ratio, target, met
  }

  /// Encodes the target as text, `ratio <= 1.5`, or as null if there is none.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(value, forKey: .value)
    try container.encode(unit, forKey: .unit)
    try container.encode(baseline, forKey: .baseline)
    try container.encode(ratio, forKey: .ratio)
    try container.encode(target?.description, forKey: .target)
    try container.encode(met, forKey: .met)
  }
}
