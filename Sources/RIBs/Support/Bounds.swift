// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The bounds of the numbers that programs pass to this package. Each function that takes a duration uses one of these, so
/// that no duration traps, or repeats something without a pause.
extension Duration {
  /// The longest time that is waited for: a hundred years. Clocks of the system count nanoseconds in 64 bits, and trap on
  /// deadlines that are more than 292 years away.
  package static let longest = Duration.seconds(100 * 365 * 86_400)

  /// The shortest time between two repetitions, which otherwise keep a core busy.
  package static let shortestInterval = Duration.milliseconds(1)

  /// The duration as a time to wait: from zero to `longest`.
  package var boundedTimeout: Duration { bounded(from: .zero) }

  /// The duration as a time between two repetitions: from `shortestInterval` to `longest`.
  package var boundedInterval: Duration { bounded(from: .shortestInterval) }

  /// The duration, limited to a range.
  package func bounded(from shortest: Duration) -> Duration { min(max(self, shortest), .longest) }

  /// The sum, or the longest or shortest duration if it overflows.
  package func addingSaturated(_ other: Duration) -> Duration {
    let (sum, overflows) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflows ? (other < .zero ? .min : .max) : sum)
  }

  /// The difference, or the longest or shortest duration if it overflows.
  package func subtractingSaturated(_ other: Duration) -> Duration {
    let (difference, overflows) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflows ? (other < .zero ? .max : .min) : difference)
  }

  /// The duration in nanoseconds, rounded toward zero; the largest or smallest `Int64` if it lies beyond.
  package var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
