// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

@testable import TaxiOrder
@testable import TaxiSimulation
@testable import taxi

/// The transcript of an order, without color.
@MainActor
func transcript(
  of trip: Trip, seed: UInt64 = 1, fault: Fault? = nil, link: OrderLink? = nil, showsTree: Bool = false,
  usesColor: Bool = false
) async -> String {
  var text = ""
  let writer = TextOrderWriter(showsTree: showsTree, style: TextStyle(usesColor: usesColor)) { text += $0 }
  let order = WatchedOrder(trip, seed: seed, fault: fault, link: link, inspector: TaxiProgram.observer)
  _ = try? await order.run { event in writer.show(event, of: order) }
  return text
}
