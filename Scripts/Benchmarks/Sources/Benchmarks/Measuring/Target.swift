// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The limit of a measurement.
enum Target: Sendable, CustomStringConvertible {
  /// A maximum ratio to the baseline.
  case atMost(Double)
  /// A minimum ratio to the baseline.
  case atLeast(Double)
  /// A maximum value in the unit of the measurement, regardless of the baseline.
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
