/// What a measurement is to stay within.
enum Target: Sendable, CustomStringConvertible {
  /// At most so many times the baseline.
  case atMost(Double)
  /// At least so many times the baseline.
  case atLeast(Double)
  /// At most so much, in the unit of the measurement, whatever the baseline is.
  case valueAtMost(Double)

  func isMet(by measurement: Measurement) -> Bool {
    switch self {
    case .atMost(let limit): measurement.ratio <= limit
    case .atLeast(let limit): measurement.ratio >= limit
    case .valueAtMost(let limit): measurement.value <= limit
    }
  }

  var description: String {
    switch self {
    case .atMost(let limit): "ratio <= \(limit)"
    case .atLeast(let limit): "ratio >= \(limit)"
    case .valueAtMost(let limit): "value <= \(limit)"
    }
  }
}
