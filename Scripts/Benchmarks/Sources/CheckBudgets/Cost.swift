// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Counting
import Workloads

/// The cost of one operation. Deterministic for a binary, except for operations whose tasks may run in more or fewer turns.
struct Cost: Codable, Hashable {
  /// Instructions, rounded.
  let instructions: Int
  /// Heap allocations, rounded to a tenth.
  let allocations: Double
}

extension Cost {
  /// The message for a cost above the budget; nil if it is within it.
  func excess(over budget: Cost, of operation: CountedOperation) -> String? {
    let tolerance = operation.tolerance
    if Double(instructions) > Double(budget.instructions) * (1 + tolerance.instructions) + 1 {
      return "\(instructions) instructions, with a budget of \(budget.instructions)"
    }
    if allocations > budget.allocations + tolerance.allocations {
      return "\(allocations) allocations, with a budget of \(budget.allocations)"
    }
    return nil
  }

  /// Whether the cost is so far below the budget that the budget could be reduced.
  func isWell(below budget: Cost, of operation: CountedOperation) -> Bool {
    let tolerance = operation.tolerance
    return Double(instructions) < Double(budget.instructions) * (1 - tolerance.instructions) - 1
      || allocations < budget.allocations - tolerance.allocations
  }
}

extension Cost {
  /// Counts an operation: the difference between two numbers of repetitions, which excludes the startup of the
  /// process.
  init(of operation: CountedOperation, probe: String) async throws {
    // At the same time: other processes do not change the counts.
    async let once = Count(of: probe, operation.rawValue, "\(operation.repetitions)")
    async let twice = Count(of: probe, operation.rawValue, "\(2 * operation.repetitions)")
    let (few, many) = try await (once, twice)
    let more = Double(operation.repetitions)
    instructions = Int((Double(many.instructions - few.instructions) / more).rounded())
    allocations = (Double(many.allocations - few.allocations) / more * 10).rounded() / 10
  }

  /// Counts an operation once, or up to three times while it costs more than its budget, and keeps the lowest count: on a
  /// busy machine its tasks run in more turns. Says so.
  init(of operation: CountedOperation, probe: String, notAbove budget: Cost?) async throws {
    var lowest = try await Cost(of: operation, probe: probe)
    for number in 2...3 {
      guard let budget, let excess = lowest.excess(over: budget, of: operation) else { break }
      note("\(operation.rawValue) takes \(excess): count \(number) of at most 3")
      let next = try await Cost(of: operation, probe: probe)
      if next.instructions < lowest.instructions { lowest = next }
    }
    self = lowest
  }
}
