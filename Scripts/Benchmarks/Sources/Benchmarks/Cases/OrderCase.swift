import TaxiOrder

/// Taxi orders per second as trees, on one core and on two, compared with the same requests in bare tasks.
func orderCase() async throws -> [Measurement] {
  var measurements: [Measurement] = []
  // An order of RIBs can be saved, restored and restarted at each step, which the bare tasks can't: its choices are
  // states and routes, and its requests have keys. That, and the guarantee that a first step costs (see `taskCase`),
  // took the ratio on one core from 0.54 to 0.46. On two cores it is between 0.47 and 0.56.
  for (cores, name) in [(1, "one core"), (2, "two cores")] {
    let orders = try await Apart.orders.measured(onCores: cores)
    measurements.append(
      Measurement(
        "taxi orders on \(name), beside bare tasks", orders.value, over: orders.baseline, unit: "/s",
        .atLeast(0.4)))
  }
  return measurements
}
