// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiSimulation

@Suite("A timestamp in a trip file")
struct TimestampTests {
  @Test(
    "is refused unless it is complete and a valid date",
    arguments: [
      "", "2021-06-01", "2021-06-01T08:00:00", "2021-06-01 08:00", "2021-6-1 08:00:00", "2021-00-01 08:00:00",
      "2021-13-01 08:00:00", "2021-06-00 08:00:00", "2021-06-31 08:00:00", "2021-02-29 08:00:00",
      "1900-02-29 08:00:00", "2021-06-01 24:00:00", "2021-06-01 08:60:00", "2021-06-01 08:00:60",
      "2021-06-01 08:00:00Z", " 2021-06-01 08:00:0", "2021-06-01 -8:00:00", "٢٠٢١-06-01 08:00:00",
    ])
  func refusals(text: String) {
    #expect(Timestamp(text.utf8) == nil)
  }

  @Test(
    "is counted in seconds across the ends of days, months and years",
    arguments: [
      ("2021-06-01 23:59:59", "2021-06-02 00:00:00", 1),
      ("2021-12-31 23:59:59", "2022-01-01 00:00:00", 1),
      ("2024-02-28 00:00:00", "2024-03-01 00:00:00", 172_800),
      ("2000-02-28 00:00:00", "2000-03-01 00:00:00", 172_800),
      ("2100-02-28 00:00:00", "2100-03-01 00:00:00", 86_400),
      ("1970-01-01 00:00:00", "2021-06-01 08:00:00", 1_622_534_400),
      ("0000-01-01 00:00:00", "0001-01-01 00:00:00", 366 * 86_400),
    ])
  func differences(from: String, to: String, seconds: Int) throws {
    let (start, end) = (try #require(Timestamp(from.utf8)), try #require(Timestamp(to.utf8)))
    #expect(end.seconds - start.seconds == seconds)
  }
}
