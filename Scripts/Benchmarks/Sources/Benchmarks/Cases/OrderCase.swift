// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Heap
import TaxiSimulation

/// Taxi orders per second as trees, on one core and on two, compared with the same requests in bare tasks; and the memory
/// of one order.
///
/// The targets are missed. An order of RIBs can be saved, restored and restarted at each step, which the bare tasks can't:
/// its choices are states and routes, and its requests have keys. That, and the guarantee that a first step costs (see
/// `taskCase`), took the ratio on one core from 0.54 to 0.47. For 0.7, the trees would have to give up two thirds of what
/// they add.
func orderCase() async throws -> [Measurement] {
  var measurements: [Measurement] = []
  for (cores, name, target) in [(1, "one core", 0.7), (2, "two cores", 0.8)] {
    let orders = try await Apart.orders.measured(onCores: cores)
    measurements.append(
      Measurement(
        "taxi orders on \(name), beside bare tasks", orders.value, over: orders.baseline, unit: "/s",
        .atLeast(target)))
  }
  guard heap_in_use() > 0 else { return measurements }
  let footprint = try Apart.orderHeap.measuredInOneHeap()
  return measurements + [
    Measurement("heap of a taxi order at its peak", footprint.value, unit: "bytes", .valueAtMost(100_000)),
    Measurement("RIBs of a taxi order at its peak", footprint.baseline, unit: "RIBs", .valueAtMost(11)),
  ]
}
