// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Workloads

/// The cost of one operation. Deterministic for a binary, regardless of the load of the machine.
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
