// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder

@Suite("An amount of money")
struct FixedPointTests {
  @Test(
    "is read to the cent, with no, one or two decimals",
    arguments: [
      ("7", 700), ("7.0", 700), ("12.95", 1295), ("55.8", 5580), ("0", 0), ("0.01", 1), ("007.10", 710),
      ("92233720368547758.07", Int.max),
    ])
  func amounts(text: String, cents: Int) throws {
    #expect(try FixedPoint.parse(text.utf8, decimals: 2) == cents)
  }

  @Test(
    "is refused with a reason when it is none",
    arguments: [
      ("", .malformed), (".", .malformed), ("7.", .malformed), (".5", .malformed), ("+7", .malformed),
      ("1e2", .malformed), ("1,5", .malformed), (" 7", .malformed), ("7.0.0", .malformed), ("--7", .malformed),
      ("٧", .malformed), ("nan", .malformed), ("1.234", .tooManyDecimals), ("1.000", .tooManyDecimals),
      ("-7", .negative), ("-0.5", .negative), ("92233720368547758.08", .tooLarge), ("92233720368547759", .tooLarge),
      ("99999999999999999999", .tooLarge),
    ] as [(String, FixedPoint.Failure)])
  func refusals(text: String, failure: FixedPoint.Failure) {
    #expect(throws: failure) { try FixedPoint.parse(text.utf8, decimals: 2) }
  }

  @Test(
    "is written with two decimals",
    arguments: [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (1295, "12.95"), (Int.max, "92233720368547758.07")])
  func writing(cents: Int, text: String) {
    #expect(Cents(cents).description == text)
  }
}
