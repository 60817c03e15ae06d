@testable import TaxiOrder

/// What is told of an order, without colour.
@MainActor
func transcript(of trip: Trip, seed: UInt64 = 1, showsTree: Bool = false) async -> String {
  var text = ""
  let telling = OrderTelling(trip, seed: seed, showsTree: showsTree, style: TextStyle(usesColour: false)) { text += $0 }
  _ = await telling.run()
  return text
}
