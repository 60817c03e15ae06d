// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A point in time on a calendar, to the microsecond.
///
/// A time in a state is a wall time, because it keeps its meaning over a restart, on another machine, and while nothing
/// runs. The instants of other clocks don't: they count from the start of a machine.
///
/// ```swift
/// let closesAt = WallTime("2026-01-01T18:00:00Z")! + .seconds(3600)
/// print(closesAt)                                    // 2026-01-01T19:00:00Z
/// ```
///
/// It is encoded as one number, the microseconds since 1970. `RIBsStore` converts it to and from `Date`. Calculations that
/// leave the range, 292,000 years in both directions, end at its bounds.
public struct WallTime: InstantProtocol, Hashable, Comparable, Sendable, Codable, LosslessStringConvertible {
  /// The microseconds since 1970-01-01T00:00:00Z, without leap seconds, as in POSIX.
  public let microsecondsSince1970: Int64

  /// Creates a time.
  ///
  /// - Parameter microsecondsSince1970: the microseconds since 1970-01-01T00:00:00Z.
  public init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

  /// The present time by the real-time clock of the system.
  ///
  /// Code of RIBs reads `wallTime` of its interactor or worker instead, which tests replace.
  public static var now: WallTime { WallTime(microsecondsSince1970: Stopwatch.nanosecondsSince1970() / 1000) }

  // MARK: Calculating

  /// The time that is a duration later, rounded up to a microsecond so that what waits for it is never early.
  ///
  /// - Parameter duration: the duration; negative for an earlier time.
  public func advanced(by duration: Duration) -> WallTime {
    let (quotient, rest) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000)
    let (sum, _) = Int128(microsecondsSince1970).addingReportingOverflow(quotient + (rest > 0 ? 1 : 0))
    return WallTime(microsecondsSince1970: Int64(clamping: sum))
  }

  /// The duration from this to another time; negative if the other one is earlier.
  public func duration(to other: WallTime) -> Duration {
    Duration(attoseconds: (Int128(other.microsecondsSince1970) - Int128(microsecondsSince1970)) * 1_000_000_000_000)
  }

  /// Whether a time is earlier than another.
  public static func < (one: WallTime, other: WallTime) -> Bool {
    one.microsecondsSince1970 < other.microsecondsSince1970
  }

  /// The time that is a duration later.
  public static func + (time: WallTime, duration: Duration) -> WallTime { time.advanced(by: duration) }

  /// The time that is a duration earlier.
  public static func - (time: WallTime, duration: Duration) -> WallTime {
    time.advanced(by: Duration.zero.subtractingSaturated(duration))
  }

  /// The duration between two times; negative if the first is earlier.
  public static func - (time: WallTime, earlier: WallTime) -> Duration { earlier.duration(to: time) }

  // MARK: Encoding

  /// Decodes the microseconds since 1970.
  public init(from decoder: any Decoder) throws {
    microsecondsSince1970 = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes the microseconds since 1970, as a single number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microsecondsSince1970)
  }

  // MARK: Text

  /// The time in ISO 8601, in UTC: `2026-01-01T18:00:00Z`. Fractions of a second have three or six digits.
  ///
  /// A year that does not have four digits has a sign and at least four: `+12026-01-01T18:00:00Z`.
  public var description: String {
    let (seconds, microseconds) = microsecondsSince1970.flooredQuotientAndRemainder(1_000_000)
    let (days, second) = seconds.flooredQuotientAndRemainder(86_400)
    let (year, month, day) = WallTime.date(ofDay: days)
    let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
    let date = "\(sign)\(padded(abs(year), 4))-\(padded(month, 2))-\(padded(day, 2))"
    let time = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    let fraction =
      microseconds == 0
      ? "" : microseconds % 1000 == 0 ? ".\(padded(microseconds / 1000, 3))" : ".\(padded(microseconds, 6))"
    return "\(date)T\(time)\(fraction)Z"
  }

  /// Creates a time from a text in ISO 8601, such as `2026-01-01T18:00:00Z` or `2026-01-01T20:00+02:00`.
  ///
  /// The seconds may be left out, and have up to six digits after the point. There has to be a time zone: `Z` or an offset.
  /// Nil for any other text, and for dates that don't exist.
  public init?(_ description: String) {
    var text = Reader(rest: description[...].utf8)
    let sign: Int64 = text.skip("-") ? -1 : 1
    let isLong = sign < 0 || text.skip("+")
    guard let year = text.number(digits: isLong ? 4...6 : 4...4), text.skip("-"),
      let month = text.number(digits: 2...2), (1...12).contains(month), text.skip("-"),
      let day = text.number(digits: 2...2), text.skip("T"),
      let hour = text.number(digits: 2...2), hour < 24, text.skip(":"),
      let minute = text.number(digits: 2...2), minute < 60
    else { return nil }
    let hasSeconds = text.skip(":")
    guard let second = hasSeconds ? text.number(digits: 2...2) : 0, second < 60,
      let microseconds = hasSeconds && text.skip(".") ? text.fraction(digits: 6) : 0,
      let offset = text.offset(), text.rest.isEmpty
    else { return nil }
    let days = WallTime.day(ofYear: sign * year, month, day)
    guard WallTime.date(ofDay: days) == (sign * year, month, day) else { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    let sum = Int128(seconds) * 1_000_000 + Int128(microseconds)
    guard let sum = Int64(exactly: sum) else { return nil }
    self.init(microsecondsSince1970: sum)
  }

  /// The date of a day since 1970 in the Gregorian calendar, also for days before its introduction.
  ///
  /// Years begin in March here, so that the leap day is the last. 400 years have 146,097 days.
  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (day + 719_468).flooredQuotientAndRemainder(146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isNextYear = month >= 10
    return (
      era * 400 + yearOfEra + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  /// The day since 1970 of a date, the inverse of `date(ofDay:)`.
  private static func day(ofYear year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredQuotientAndRemainder(400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Reads a text from its beginning.
  private struct Reader {
    var rest: Substring.UTF8View

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard let next = rest.first, next == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// The digits that follow, at most as many as allowed; nil if they are too few.
    mutating func number(digits: ClosedRange<Int>) -> Int64? {
      let found = rest.prefix(digits.upperBound).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard found.count >= digits.lowerBound else { return nil }
      rest.removeFirst(found.count)
      return found.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// The digits after a decimal point, as a number of so many digits.
    mutating func fraction(digits: Int) -> Int64? {
      let before = rest.count
      guard var number = number(digits: 1...digits) else { return nil }
      for _ in (before - rest.count)..<digits { number *= 10 }
      return number
    }

    /// The seconds of a time zone east of UTC.
    mutating func offset() -> Int64? {
      if skip("Z") { return 0 }
      let sign: Int64
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = number(digits: 2...2), hours < 24, skip(":"), let minutes = number(digits: 2...2), minutes < 60
      else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}

extension Int64 {
  /// The quotient, rounded down, and the remainder, which is not negative.
  fileprivate func flooredQuotientAndRemainder(_ divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}

/// A number with zeros before it, up to a number of digits.
func padded(_ number: Int64, _ digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
