import TaxiOrder

/// Taxi orders per second as trees, on one core and on two, compared with the same requests in bare tasks.
func orderCase() async throws -> [Measurement] {
  var measurements: [Measurement] = []
  for (cores, name) in [(1, "one core"), (2, "two cores")] {
    let orders = try await Apart.orders.measured(onCores: cores)
    measurements.append(
      Measurement(
        "taxi orders on \(name), beside bare tasks", orders.value, over: orders.baseline, unit: "/s", .atLeast(0.5)))
  }
  return measurements
}
