// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import TestSupport
import Testing

@Suite("A wall time")
struct WallTimeTests {
  private static func time(_ microseconds: Int64) -> WallTime { WallTime(microsecondsSince1970: microseconds) }

  @Test(
    "is written in ISO 8601",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_767_290_400_000_000, "2026-01-01T18:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (1_767_290_400_250_000, "2026-01-01T18:00:00.250Z"), (1_767_290_400_000_001, "2026-01-01T18:00:00.000001Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00Z"), (4_107_542_400_000_000, "2100-03-01T00:00:00Z"),
      (253_402_300_799_000_000, "9999-12-31T23:59:59Z"), (253_402_300_800_000_000, "+10000-01-01T00:00:00Z"),
      (-62_167_219_200_000_000, "0000-01-01T00:00:00Z"), (-62_167_219_200_000_001, "-0001-12-31T23:59:59.999999Z"),
      (.max, "+294247-01-10T04:00:54.775807Z"), (.min, "-290308-12-21T19:59:05.224192Z"),
    ] as [(Int64, String)])
  func text(_ microseconds: Int64, _ text: String) {
    #expect(Self.time(microseconds).description == text)
    #expect(WallTime(text)?.microsecondsSince1970 == microseconds)
  }

  @Test(
    "is read with an offset, without seconds, and with a short fraction",
    arguments: [
      ("2026-01-01T18:00Z", "2026-01-01T18:00:00Z"), ("2026-01-01T18:00+02:00", "2026-01-01T16:00:00Z"),
      ("2026-01-01T00:30:00-01:30", "2026-01-01T02:00:00Z"), ("2026-01-01T18:00:00.5Z", "2026-01-01T18:00:00.500Z"),
      ("2028-02-29T23:59:59.999999Z", "2028-02-29T23:59:59.999999Z"),
    ])
  func reading(_ text: String, _ expected: String) { #expect(WallTime(text)?.description == expected) }

  @Test(
    "is not read from another text",
    arguments: [
      "", "now", "2026", "2026-01-01", "2026-01-01T18:00", "2026-01-01 18:00Z", "2026-02-29T18:00Z",
      "2026-13-01T18:00Z",
      "2026-00-01T18:00Z", "2026-01-00T18:00Z", "2026-04-31T18:00Z", "2026-01-01T24:00Z", "2026-01-01T18:60Z",
      "2026-01-01T18:00:60Z", "2026-01-01T18:00:00.Z", "2026-01-01T18:00:00.1234567Z", "2026-01-01T18:00Z ",
      "2026-01-01T18:00+2:00", "2026-01-01T18:00+24:00", "26-01-01T18:00Z", "+294247-01-10T04:00:54.775808Z",
      "-290308-12-21T19:59:05.224191Z", "٢٠٢٦-01-01T18:00Z",
    ])
  func refused(_ text: String) { #expect(WallTime(text) == nil) }

  @Test("agrees with the calendar of Foundation")
  func calendar() {
    let seed = ProcessInfo.processInfo.environment["RIBS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 48)
    var random = SplitMix(seed)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
    // From the year 1600 on, because Foundation has the Julian calendar before.
    for _ in 0..<500 {
      let seconds = Int64.random(in: -11_000_000_000..<253_402_300_800, using: &random)
      let time = Self.time(seconds * 1_000_000)
      #expect(time.description == Date(timeIntervalSince1970: Double(seconds)).formatted(style), "RIBS_SEED=\(seed)")
      let other = Self.time(Int64.random(in: .min ... .max, using: &random))
      #expect(WallTime(other.description) == other, "RIBS_SEED=\(seed)")
    }
  }

  @Test(
    "is moved by a duration, rounded up, to the bounds of its range at most",
    arguments: [
      (0, .zero, 0), (0, .nanoseconds(1), 1), (0, .nanoseconds(-1), 0), (0, .nanoseconds(-1001), -1),
      (5, .seconds(2), 2_000_005), (-5, .microseconds(-7), -12), (.max, .nanoseconds(1), .max),
      (.min, .microseconds(-1), .min), (0, Duration(attoseconds: .max), .max), (0, Duration(attoseconds: .min), .min),
      (.min, Duration(attoseconds: .max), .max), (.min, .microseconds(1), .min + 1),
    ] as [(Int64, Duration, Int64)])
  func moved(_ start: Int64, _ duration: Duration, _ end: Int64) {
    #expect(Self.time(start).advanced(by: duration) == Self.time(end))
    #expect(Self.time(start) + duration == Self.time(end))
  }

  @Test("is moved back, and has an exact distance from another")
  func distances() {
    #expect(Self.time(10) - .microseconds(3) == Self.time(7))
    #expect(Self.time(10) - .nanoseconds(1) == Self.time(10))
    #expect(Self.time(0) - Duration(attoseconds: .min) == Self.time(.max))
    let ends: [Int64] = [.min, -1, 0, 1, .max]
    for start in ends {
      for end in ends {
        let distance = Self.time(end) - Self.time(start)
        #expect(distance == Self.time(start).duration(to: Self.time(end)))
        #expect(Self.time(start) + distance == Self.time(end))
        #expect((Self.time(start) < Self.time(end)) == (distance > .zero))
      }
    }
  }

  @Test("is encoded as one number")
  func encoded() throws {
    let data = try JSONEncoder().encode(["at": Self.time(1_767_290_400_000_001)])
    #expect(String(decoding: data, as: UTF8.self) == #"{"at":1767290400000001}"#)
    for microseconds in [Int64.min, -1, 0, .max] {
      let data = try JSONEncoder().encode(Self.time(microseconds))
      #expect(String(decoding: data, as: UTF8.self) == "\(microseconds)")
      #expect(try JSONDecoder().decode(WallTime.self, from: data) == Self.time(microseconds))
    }
  }

  @Test("is now by the clock of the system")
  func now() {
    let before = Date()
    let now = WallTime.now
    let after = Date()
    #expect(Double(now.microsecondsSince1970) / 1e6 >= before.timeIntervalSince1970 - 0.001)
    #expect(Double(now.microsecondsSince1970) / 1e6 <= after.timeIntervalSince1970 + 0.001)
  }
}
