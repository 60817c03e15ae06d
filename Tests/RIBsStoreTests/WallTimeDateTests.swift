// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsStore
import TestSupport
import Testing

@Suite("A wall time and a date")
struct WallTimeDateTests {
  @Test("are converted into each other exactly to the microsecond")
  func exact() {
    let seed = firstSeed()
    var random = SplitMix(seed)
    // The years 1865 to 2137.
    for _ in 0..<2000 {
      let time = WallTime(
        microsecondsSince1970: .random(in: -3_300_000_000_000_000..<5_270_000_000_000_000, using: &random))
      #expect(WallTime(Date(time)) == time, "RIBS_SEED=\(seed)")
    }
    #expect(Date(WallTime("2026-01-01T18:00:00Z")!).timeIntervalSince1970 == 1_767_290_400)
    #expect(WallTime(Date(timeIntervalSince1970: 0.25)).description == "1970-01-01T00:00:00.250Z")
  }

  @Test(
    "end at the bounds of the range",
    arguments: [
      (.nan, .min), (.infinity, .max), (-.infinity, .min), (1e300, .max), (-1e300, .min), (9.3e12, .max),
      (-9.3e12, .min),
    ] as [(Double, Int64)])
  func bounds(_ seconds: Double, _ expected: Int64) {
    #expect(WallTime(Date(timeIntervalSinceReferenceDate: seconds)).microsecondsSince1970 == expected)
    let end = Date(WallTime(microsecondsSince1970: expected))
    #expect((end > .distantFuture) == (expected == .max))
    #expect((end < .distantPast) == (expected == .min))
  }

  @Test("have names for what is far away")
  func distant() {
    #expect(WallTime(.distantFuture).description == "4001-01-01T00:00:00Z")
    #expect(WallTime(.distantPast) < WallTime(microsecondsSince1970: 0))
  }
}
