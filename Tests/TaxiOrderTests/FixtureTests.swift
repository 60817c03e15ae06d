// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("The trip file of the tests")
struct FixtureTests {
  /// The messages about its malformed rows.
  static let report = """
    line 3, column 10 (pickup): '2023-02-29 10:00:00' is no date and time (YYYY-MM-DD hh:mm:ss)
    line 5, column 10 (pickup): the value is missing
    line 7, column 11 (dropoff): '2021-07-01T10:10:00' is no date and time (YYYY-MM-DD hh:mm:ss)
    line 9, column 11 (dropoff): '2021-07-01 24:00:00' is no date and time (YYYY-MM-DD hh:mm:ss)
    line 11, column 11 (dropoff): the row has 10 fields, not 11
    line 12, column 11 (dropoff): the dropoff is before the pickup
    line 14, column 9 (distance): 'far' is not a distance in miles
    line 16, column 9 (distance): '-1.5' is negative
    line 18, column 5 (fare): '8.005' has more than 2 decimals
    line 19, column 12 (unnamed): the row has 12 fields, not 11
    line 21, column 5 (fare): '$8.00' is not an amount in dollars and cents
    line 23, column 5 (fare): '-8.0' is negative
    line 25, column 6 (tip): the value is missing
    line 27, column 1 (note): a quote inside a value that does not begin with one
    line 28, column 6 (tip): '1e2' is not an amount in dollars and cents
    line 31, column 7 (tolls): '92233720368547758.08' is too large
    line 33, column 7 (tolls): '-0.01' is negative
    line 34, column 1 (note): text after the closing quote
    line 36, column 8 (total): the total is less than fare, tip and tolls, which leaves a negative surcharge
    line 38, column 8 (total): '12.' is not an amount in dollars and cents
    line 40, column 4 (payment): 'barter' is neither 'credit card' nor 'cash'
    line 46, column 2 (pickup_zone): a quote is never closed
    """.split(separator: "\n").map(String.init)

  @Test("has every malformed row reported by line, column and reason, and no other")
  func rejections() throws {
    let reports = try Fixture.rows().compactMap { row in
      if case .rejected(let row) = row { row.description } else { nil }
    }
    #expect(reports == FixtureTests.report)
  }

  @Test("has all empty values that an order accepts")
  func gaps() throws {
    let trips = try Fixture.trips()
    #expect(trips.count == 22)
    #expect(trips.contains { $0.rider.pickupZone == nil && $0.rider.dropoffZone != nil })
    #expect(trips.contains { $0.rider.pickupZone != nil && $0.rider.dropoffZone == nil })
    #expect(trips.contains { $0.rider.pickupZone == nil && $0.rider.dropoffZone == nil })
    #expect(trips.contains { $0.distance.micromiles == 0 && $0.duration == .zero })
    #expect(trips.contains { $0.rider.pickupZone != nil && $0.rider.pickupZone == $0.rider.dropoffZone })
    #expect(trips.contains { $0.rider.pickupZone == "Pier 9\nupper deck" })
    #expect(trips.contains { $0.rider.dropoffZone == "The \"Old\" Quay" })
    #expect(trips.contains { $0.bill.surcharge == Cents(0) })
  }
}
