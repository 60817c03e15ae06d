// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The best time of each part of some repeated work.
///
/// On a shared machine, long work is disturbed in every run, but in different parts.
struct Laps {
  private var best: [Double] = []
  private var next = 0
  private var start = ContinuousClock.now

  init() {
    // Allocated once, so that no reallocation occurs during the measurement.
    best.reserveCapacity(4_096)
  }

  /// Starts a run of the work.
  mutating func begin() {
    next = 0
    start = .now
  }

  /// Ends the current part and starts the next one.
  mutating func lap() {
    let taken = (.now - start).nanoseconds
    if next < best.count { best[next] = min(best[next], taken) } else { best.append(taken) }
    next += 1
    start = .now
  }

  /// The sum of the best times, in nanoseconds.
  var total: Double { best.reduce(0, +) }
}
