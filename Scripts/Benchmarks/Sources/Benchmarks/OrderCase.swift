import TaxiOrder

/// Taxi orders as trees, and the same requests in bare tasks without a tree.
func orderCase() async throws {
  let comparison = try await ThroughputComparison(orders: 2_000, concurrency: 16)
  let (trees, tasks) = (1e6 / comparison.trees, 1e6 / comparison.bareTasks)
  report("order", trees, tasks, unit: "µs")
  print("orders/s: \(Int(comparison.trees)) as trees, \(Int(comparison.bareTasks)) as bare tasks")
}
