import Workloads

/// What one operation takes: the same for one binary, whatever else the machine does.
struct Cost: Codable, Hashable {
  /// Instructions, rounded.
  let instructions: Int
  /// Allocations on the heap, to a tenth.
  let allocations: Double
}

extension Cost {
  /// Why this is more than was agreed on, or nothing.
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

  /// Whether it is less than was agreed on, so that the budget could be smaller.
  func isWell(below budget: Cost, of operation: CountedOperation) -> Bool {
    let tolerance = operation.tolerance
    return Double(instructions) < Double(budget.instructions) * (1 - tolerance.instructions) - 1
      || allocations < budget.allocations - tolerance.allocations
  }
}
