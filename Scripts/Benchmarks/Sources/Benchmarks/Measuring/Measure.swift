import Workloads

/// What one operation takes, measured beside what it is compared with.
struct Comparison: Sendable {
  /// Nanoseconds an operation.
  private(set) var value = Double.infinity
  /// Nanoseconds an operation of what it is compared with.
  private(set) var baseline = Double.infinity

  /// Measures both in turn, several times, and takes the best of each: what a shared machine disturbs least.
  init(
    runs: Int = 9, operations: Int, baseline: () throws -> Void, _ body: () throws -> Void
  ) rethrows {
    for _ in 0..<runs {
      try note(\.baseline, operations, ContinuousClock().measure(baseline))
      try note(\.value, operations, ContinuousClock().measure(body))
    }
  }

  /// The same for work that suspends.
  init(
    runs: Int = 9, operations: Int, baseline: () async throws -> Void, _ body: () async throws -> Void
  ) async rethrows {
    for _ in 0..<runs {
      try await note(\.baseline, operations, ContinuousClock().measure(baseline))
      try await note(\.value, operations, ContinuousClock().measure(body))
    }
  }

  /// Measures work that is long and done in parts: both in turn, several times, each part at its best.
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

  private mutating func note(_ side: WritableKeyPath<Comparison, Double>, _ operations: Int, _ taken: Duration) {
    self[keyPath: side] = min(self[keyPath: side], taken.nanoseconds / Double(operations))
  }
}

/// The best of several runs, in nanoseconds an operation.
func best(of runs: Int = 9, operations: Int, _ body: () throws -> Void) rethrows -> Double {
  try Comparison(runs: runs, operations: operations, baseline: {}, body).value
}

/// The same for work that suspends.
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
