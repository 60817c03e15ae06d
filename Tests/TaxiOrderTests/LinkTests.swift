// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("A link that orders a taxi", .folded)
struct LinkTests {
  @Test(
    "is parsed, and refused if it is of another kind", .noTrees,
    arguments: [
      ("taxi://order?from=Elm%20Court&to=Mill%20Pond", OrderLink(from: "Elm Court", to: "Mill Pond")),
      ("taxi://order?to=Mill", OrderLink(from: nil, to: "Mill")), ("taxi://order?from=", OrderLink(from: nil, to: nil)),
      ("taxi://order", OrderLink(from: nil, to: nil)), ("taxi://orders?to=Mill", nil), ("https://order?to=Mill", nil),
      ("taxi://order?destination=Mill", nil), ("", nil), ("taxi", nil),
    ] as [(String, OrderLink?)])
  func reading(text: String, link: OrderLink?) {
    #expect(OrderLink(text) == link)
  }

  @Test("is needed for an order of a rider who waits for one")
  @MainActor
  func noOrderByHand() async throws {
    let link = OrderLink(from: "A", to: "B")
    let order = WatchedOrder(.generated(seed: 3), seed: 3, link: link, inspector: TestTree.inspector)
    var orders = 0
    let report = try await order.run { event in
      if case .activated(let path) = event, path.components.last == "Order" { orders += 1 }
    }
    #expect(orders == 1)
    #expect(report == .sound(.completed(charged: Trip.generated(seed: 3).bill.total), requests: report.requests))
  }
}
