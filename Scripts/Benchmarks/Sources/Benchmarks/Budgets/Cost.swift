/// What one operation takes: the same for one binary, whatever else the machine does.
struct Cost: Codable, Hashable {
  /// Instructions, rounded.
  let instructions: Int
  /// Allocations on the heap, to a tenth.
  let allocations: Double
}

extension Cost {
  /// What is counted again may differ by so much, where threads wait for each other.
  private static let tolerance = 0.05

  /// Why this is more than was agreed on, or nothing.
  func excess(over budget: Cost) -> String? {
    if Double(instructions) > Double(budget.instructions) * (1 + Cost.tolerance) + 1 {
      return "\(instructions) instructions, with a budget of \(budget.instructions)"
    }
    if allocations > budget.allocations + 0.5 {
      return "\(allocations) allocations, with a budget of \(budget.allocations)"
    }
    return nil
  }

  /// Whether it is less than was agreed on, so that the budget could be smaller.
  func isWell(below budget: Cost) -> Bool {
    Double(instructions) < Double(budget.instructions) * (1 - Cost.tolerance) - 1
      || allocations < budget.allocations - 0.5
  }
}
