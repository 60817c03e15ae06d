import Workloads

/// The time of one operation, compared with a baseline.
struct Comparison: Sendable {
  /// Nanoseconds per operation.
  private(set) var value = Double.infinity
  /// Nanoseconds per operation of the baseline.
  private(set) var baseline = Double.infinity

  /// Measures both by turns, several times, and takes the best of each, which a shared machine disturbs least.
  init(
    runs: Int = 9, operations: Int, baseline: () throws -> Void, _ body: () throws -> Void
  ) rethrows {
    for _ in 0..<runs {
      try note(\.baseline, operations, ContinuousClock().measure(baseline))
      try note(\.value, operations, ContinuousClock().measure(body))
    }
  }

  /// The same for asynchronous work.
  init(
    runs: Int = 9, operations: Int, baseline: () async throws -> Void, _ body: () async throws -> Void
  ) async rethrows {
    for _ in 0..<runs {
      try await note(\.baseline, operations, ContinuousClock().measure(baseline))
      try await note(\.value, operations, ContinuousClock().measure(body))
    }
  }

  /// Measures long work in parts: both by turns, several times, and the best time of each part.
  init(
    runs: Int, operations: Int, baseline: (inout Laps) throws -> Void, _ body: (inout Laps) throws -> Void
  ) rethrows {
    var (compared, measured) = (Laps(), Laps())
    for _ in 0..<runs {
      compared.begin()
      try baseline(&compared)
      measured.begin()
      try body(&measured)
    }
    value = measured.total / Double(operations)
    self.baseline = compared.total / Double(operations)
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
  var best = Double.infinity
  for _ in 0..<runs {
    let start = ContinuousClock.now
    try await body()
    best = min(best, (.now - start).nanoseconds / Double(operations))
  }
  return best
}

extension Duration {
  var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
