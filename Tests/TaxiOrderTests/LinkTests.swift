import RIBs
import Testing

@testable import TaxiOrder

@Suite("A link that orders a taxi")
struct LinkTests {
  @Test(
    "is parsed, and refused if it is of another kind",
    arguments: [
      ("taxi://order?from=Elm%20Court&to=Mill%20Pond", OrderLink(from: "Elm Court", to: "Mill Pond")),
      ("taxi://order?to=Mill", OrderLink(from: nil, to: "Mill")), ("taxi://order?from=", OrderLink(from: nil, to: nil)),
      ("taxi://order", OrderLink(from: nil, to: nil)), ("taxi://orders?to=Mill", nil), ("https://order?to=Mill", nil),
      ("taxi://order?destination=Mill", nil), ("", nil), ("taxi", nil),
    ] as [(String, OrderLink?)])
  func reading(text: String, link: OrderLink?) {
    #expect(OrderLink(text) == link)
  }

  @Test("waits until the rider has logged in, and orders from one place to the other")
  func order() async {
    let trip = Trip.invented(from: "North Market", to: "Old Arsenal", seed: 3)
    let link = OrderLink(from: "Elm Court", to: "Mill Pond")
    let lines = orderLines(await transcript(of: trip, seed: 3, link: link))
    #expect(lines.contains("  › Pickup at Elm Court"))
    #expect(lines.contains("  › To Mill Pond"))
    #expect(!lines.contains { $0.contains("North Market") || $0.contains("Old Arsenal") })
    #expect(lines.last == "- Root")
    // The course is the same as for an order by hand, except the time on the map before it.
    let byHand = await transcript(of: .invented(from: "Elm Court", to: "Mill Pond", seed: 3), seed: 3)
    #expect(lines == orderLines(byHand))
  }

  /// The transcript of an order, without times and without the taxis on the map.
  private func orderLines(_ transcript: String) -> [Substring] {
    transcript.split(separator: "\n").map { $0.dropFirst(8) }
      .filter { !$0.hasSuffix("NearbyTaxi") && !$0.hasSuffix("on the map") }
  }

  @Test("is needed for an order of a rider who waits for one")
  @MainActor
  func noOrderByHand() async {
    let order = WatchedOrder(.invented(seed: 3), seed: 3, link: OrderLink(from: "A", to: "B"))
    var orders = 0
    let report = await order.run { event in
      if case .activated(let path) = event, path.components.last == "Order" { orders += 1 }
    }
    #expect(orders == 1)
    #expect(report.outcome == .completed(charged: Trip.invented(seed: 3).bill.total))
    #expect(report.requestsFromInactive == 0)
    #expect(report.leaked == 0)
  }
}
