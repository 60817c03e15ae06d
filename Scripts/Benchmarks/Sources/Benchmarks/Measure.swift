/// Keeps the optimiser from removing what only a benchmark uses.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: Value) {}

/// The best of several runs, in nanoseconds an operation: what a shared machine disturbs least.
func best(of runs: Int = 9, operations: Int, _ body: () throws -> Void) rethrows -> Double {
  var best = Double.infinity
  for _ in 0..<runs {
    let taken = try ContinuousClock().measure(body)
    best = min(best, taken.nanoseconds / Double(operations))
  }
  return best
}

/// The same for work that suspends.
func best(of runs: Int = 9, operations: Int, _ body: () async throws -> Void) async rethrows -> Double {
  var best = Double.infinity
  for _ in 0..<runs {
    let taken = try await ContinuousClock().measure(body)
    best = min(best, taken.nanoseconds / Double(operations))
  }
  return best
}

extension Duration {
  var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
