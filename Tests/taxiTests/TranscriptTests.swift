// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder
@testable import taxi

@Suite("The text output of an order", .folded)
struct TranscriptTests {
  @Test("shows every transition, every attached and detached RIB and all output, in one order")
  func course() async {
    let trip = Trip.generated(from: "Elm Court", to: "Mill Pond", seed: 3)
    #expect(
      await transcript(of: trip, seed: 3) == """
          0:00  + Root
                  + LoggedOut

          0:00  ● logged out
                  › Welcome: please log in
          0:04    - LoggedOut
                  + LoggedIn
                    + Map
                      + NearbyTaxi
                      + NearbyTaxi
                      + NearbyTaxi
                  › 3 taxis on the map
          0:05      + Order

          0:05  ● selecting
                      + Selecting
                        + PickupSelection
                  › Pickup at Elm Court
                        - PickupSelection
                        + DestinationSelection
                  › To Mill Pond
                        - DestinationSelection
                        + FareQuote
                  › Fare: 21.50
                        - FareQuote
                        + PaymentMethod
                  › Payment by credit card
                        - PaymentMethod
                        + Confirmation
                  › Confirmed: Elm Court to Mill Pond, by credit card
          0:14        - NearbyTaxi
                      + NearbyTaxi
          0:17        - NearbyTaxi
                      - NearbyTaxi
                      - NearbyTaxi
                  › No taxis on the map

          0:17  ● dispatching
                        - Confirmation
                      - Selecting
                      + Dispatching
                  › Looking for a taxi
                        + CancelOrder
                  › Taken by Keiko

          0:17  ● under way
                        - CancelOrder
                      - Dispatching
                      + OrderResultDetail
                        + VehicleDynamics
                        + Eta
                  › Pickup in 1:46
                        + DriverInfo
                  › Driver: Keiko, T240-25
                        + RideMeter
                        + CancelOrder
          1:10    › The taxi is on its way
                  › Pickup in 0:53
                  › Moved 1190 m, heading south
          2:03    › The taxi has arrived
                  › Keiko is waiting
                  › Moved 1192 m, heading south
         23:13    › Riding
                  › There in 20:30
                  › The meter is running
                  › Moved 6194 m, heading north
         43:43    › The ride has ended
                  › Metered: 7.70 mi in 41:00

         43:43  ● settling
                        - CancelOrder
                        - RideMeter
                        - DriverInfo
                        - Eta
                        - VehicleDynamics
                      - OrderResultDetail
                      + Settlement
                  › To pay: 29.53
                  › Paid 29.53 by credit card

         43:43  ● receipt
                      - Settlement
                      + Receipt
                  › Fare 21.50, tip 4.73, tolls 0.00, surcharge 3.30: 29.53 in all

         43:48  ● rating
                      - Receipt
                      + Rating
         43:51    › Rated: 5 stars

         43:51  ● completed
                      - Rating
                    - Order
                    + History

         43:51  ● history
                  › Elm Court to Mill Pond, 29.53, 5 stars
         43:53      - History
                    - Map
                  - LoggedIn
                - Root

        """)
  }

  @Test("skips the destination and pays cash if the rider does")
  func gaps() async {
    let generated = Trip.generated(from: "", to: "", seed: 3)
    let rider = Rider(pickupZone: nil, dropoffZone: nil, payment: .cash)
    let trip = Trip(
      number: 1, rider: rider, duration: generated.duration, distance: generated.distance, bill: generated.bill)
    let lines = await transcript(of: trip, seed: 3).split(separator: "\n").compactMap { line in
      line.split(separator: "› ", maxSplits: 1).dropFirst().first
    }
    #expect(
      lines.prefix(5) == [
        "Welcome: please log in", "3 taxis on the map", "Pickup at the rider's position",
        "No destination: the rider tells the driver on the way", "Fare: metered",
      ])
    #expect(lines.contains("Paid 29.53 by cash"))
  }

  @Test("draws the tree at each stage, without other changes")
  func trees() async {
    let trip = Trip.generated(from: nil, to: nil, seed: 1)
    let isTree = { (line: Substring) in line.contains(" active ") }
    let plain = await transcript(of: trip).split(separator: "\n")
    let drawn = await transcript(of: trip, showsTree: true).split(separator: "\n")
    #expect(drawn.filter { !isTree($0) } == plain)
    let names = drawn.filter(isTree).map { line in String(line.prefix { $0 != "a" }.filter(\.isLetter)) }
    #expect(names.filter { $0 == "Root" }.count == Stage.allCases.count)
    #expect(drawn.contains { $0.contains("├─ VehicleDynamics") })
  }

  @Test("escapes terminal control sequences")
  func escapes() async {
    let text = await transcript(of: .generated(from: "\u{1B}[2J\nElm", to: "", seed: 1), showsTree: true)
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("› Pickup at \\u{1b}[2J\\u{a}Elm\n"))
  }

  @Test("is colored if requested")
  func color() async {
    let text = await transcript(of: .generated(seed: 1), usesColor: true)
    #expect(text.contains("\u{1B}[32m+ Root\u{1B}[0m\n"))
    #expect(text.contains("\u{1B}[1;36m● completed\u{1B}[0m\n"))
  }

  @Test("of a link is the same as of an order by hand, after the login")
  func link() async {
    let trip = Trip.generated(from: "North Market", to: "Old Arsenal", seed: 3)
    let link = OrderLink(from: "Elm Court", to: "Mill Pond")
    let lines = orderLines(await transcript(of: trip, seed: 3, link: link))
    // The course is the same as for an order by hand, except the time on the map before it.
    let byHand = await transcript(of: .generated(from: "Elm Court", to: "Mill Pond", seed: 3), seed: 3)
    #expect(lines == orderLines(byHand))
  }

  /// The transcript of an order, without times and without the taxis on the map.
  private func orderLines(_ transcript: String) -> [Substring] {
    transcript.split(separator: "\n").map { $0.dropFirst(8) }
      .filter { !$0.hasSuffix("NearbyTaxi") && !$0.hasSuffix("on the map") }
  }

  @Test("is the same for sequential and concurrent orders")
  func courses() async throws {
    let trips = try Fixture.trips()
    var alone: [String] = []
    for trip in trips { alone.append(await transcript(of: trip)) }
    let together = await withTaskGroup(of: (Int, String).self) { group in
      for (index, trip) in trips.enumerated() {
        group.addTask {
          // Not awaited inside the tuple: release builds then spoil its first element (Swift 6.3.1).
          let text = await transcript(of: trip)
          return (index, text)
        }
      }
      return await group.reduce(into: [String](repeating: "", count: trips.count)) { $0[$1.0] = $1.1 }
    }
    #expect(together == alone)
    #expect(Set(alone).count == trips.count)
  }
}
