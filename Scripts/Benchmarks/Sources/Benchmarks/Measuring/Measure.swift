// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Workloads

/// The time of one operation, compared with a baseline.
struct Comparison: Sendable {
  /// Nanoseconds per operation.
  private(set) var value = Double.infinity
  /// Nanoseconds per operation of the baseline.
  private(set) var baseline = Double.infinity

  /// Measures both by turns, several times, and takes the best of each, which a shared machine disturbs least.
  ///
  /// - Parameter runs: the maximum; see `Settling`.
  init(
    runs: Int = 9, operations: Int, baseline: () throws -> Void, _ body: () throws -> Void
  ) rethrows {
    var settling = Settling(runs: runs)
    repeat {
      try note(\.baseline, operations, ContinuousClock().measure(baseline))
      try note(\.value, operations, ContinuousClock().measure(body))
    } while settling.needsAnother(after: self)
  }

  /// The same for asynchronous work.
  init(
    runs: Int = 9, operations: Int, baseline: () async throws -> Void, _ body: () async throws -> Void
  ) async rethrows {
    var settling = Settling(runs: runs)
    repeat {
      try await note(\.baseline, operations, ContinuousClock().measure(baseline))
      try await note(\.value, operations, ContinuousClock().measure(body))
    } while settling.needsAnother(after: self)
  }

  /// Measures long work in parts: both by turns, several times, and the best time of each part.
  init(
    runs: Int, operations: Int, baseline: (inout Laps) throws -> Void, _ body: (inout Laps) throws -> Void
  ) rethrows {
    var (compared, measured, settling) = (Laps(), Laps(), Settling(runs: runs))
    repeat {
      compared.begin()
      try baseline(&compared)
      measured.begin()
      try body(&measured)
      value = measured.total / Double(operations)
      self.baseline = compared.total / Double(operations)
    } while settling.needsAnother(after: self)
  }

  /// For measurements that are noted one by one.
  init() {}

  mutating func note(_ value: Duration, over baseline: Duration, operations: Int) {
    note(\.baseline, operations, baseline)
    note(\.value, operations, value)
  }

  private mutating func note(_ side: WritableKeyPath<Comparison, Double>, _ operations: Int, _ taken: Duration) {
    self[keyPath: side] = min(self[keyPath: side], taken.nanoseconds / Double(operations))
  }
}

/// The best of several runs, in nanoseconds per operation.
func best(of runs: Int = 9, operations: Int, _ body: () throws -> Void) rethrows -> Double {
  try Comparison(runs: runs, operations: operations, baseline: {}, body).value
}

/// The same for asynchronous work.
nonisolated(nonsending) func best(
  of runs: Int = 9, operations: Int, _ body: () async throws -> Void
) async rethrows -> Double {
  var best = Comparison()
  var settling = Settling(runs: runs)
  repeat {
    let start = ContinuousClock.now
    try await body()
    best.note(.now - start, over: .zero, operations: operations)
  } while settling.needsAnother(after: best)
  return best.value
}

/// Decides how often to repeat a measurement: until no run of the second half has improved the best time by half a percent,
/// but three times and for a tenth of the maximum at least.
struct Settling {
  private let runs: ClosedRange<Int>
  private var count = 0
  /// The last run that has improved a time, and the times then.
  private var improvement = (run: 0, times: Comparison())

  init(runs: Int) { self.runs = min(max(3, runs / 10), runs)...runs }

  /// - Parameter times: the best ones so far.
  mutating func needsAnother(after times: Comparison) -> Bool {
    count += 1
    if times.value < improvement.times.value * 0.995 || times.baseline < improvement.times.baseline * 0.995 {
      improvement = (count, times)
    }
    return count < runs.lowerBound || (count < runs.upperBound && count < 2 * improvement.run)
  }
}

extension Duration {
  var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
