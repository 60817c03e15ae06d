// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder

/// Parses a row of a trip file.
struct TripRow {
  let header: TripHeader
  let record: CSVRecord

  func trip(number: Int) throws(RejectedRow) -> Trip {
    try checkShape()
    let pickup = try time(.pickup)
    let dropoff = try time(.dropoff)
    guard dropoff.seconds >= pickup.seconds else { throw rejection(.dropoff, "the dropoff is before the pickup") }
    let micromiles = try self.number(.distance, decimals: Distance.decimals, "a distance in miles")
    let (fare, tip, tolls, total) = (try amount(.fare), try amount(.tip), try amount(.tolls), try amount(.total))
    guard let bill = Bill(fare: fare, tip: tip, tolls: tolls, total: total) else {
      throw rejection(.total, "the total is less than fare, tip and tolls, which leaves a negative surcharge")
    }
    let rider = Rider(pickupZone: zone(.pickupZone), dropoffZone: zone(.dropoffZone), payment: try payment())
    return Trip(
      number: number, rider: rider, duration: .seconds(dropoff.seconds - pickup.seconds),
      distance: Distance(micromiles: micromiles), bill: bill)
  }

  private func checkShape() throws(RejectedRow) {
    if let (kind, field) = record.problem { throw rejection(at: field, "\(kind)") }
    guard record.count != header.names.count else { return }
    throw rejection(
      at: min(record.count, header.names.count), "the row has \(record.count) fields, not \(header.names.count)")
  }

  private func time(_ column: TripColumn) throws(RejectedRow) -> Timestamp {
    let value = try required(column)
    guard let time = Timestamp(value) else {
      throw rejection(column, "\(quoted(value)) is no date and time (YYYY-MM-DD hh:mm:ss)")
    }
    return time
  }

  private func amount(_ column: TripColumn) throws(RejectedRow) -> Cents {
    Cents(try number(column, decimals: 2, "an amount in dollars and cents"))
  }

  private func number(_ column: TripColumn, decimals: Int, _ what: String) throws(RejectedRow) -> Int {
    let value = try required(column)
    do {
      return try FixedPoint.parse(value, decimals: decimals)
    } catch {
      let reason =
        switch error {
        case .malformed: "is not \(what)"
        case .negative: "is negative"
        case .tooManyDecimals: "has more than \(decimals) decimals"
        case .tooLarge: "is too large"
        }
      throw rejection(column, "\(quoted(value)) \(reason)")
    }
  }

  /// An empty value means cash. Unknown values are rejected.
  private func payment() throws(RejectedRow) -> Payment {
    switch text(.payment) {
    case "", "cash": .cash
    case "credit card": .card
    default: throw rejection(.payment, "\(quoted(value(.payment))) is neither 'credit card' nor 'cash'")
    }
  }

  private func zone(_ column: TripColumn) -> String? { text(column).nonEmpty }

  private func required(_ column: TripColumn) throws(RejectedRow) -> ArraySlice<UInt8> {
    let value = value(column)
    guard !value.isEmpty else { throw rejection(column, "the value is missing") }
    return value
  }

  private func value(_ column: TripColumn) -> ArraySlice<UInt8> { header.index(of: column).map { record[$0] } ?? [] }

  private func text(_ column: TripColumn) -> String { String(decoding: value(column), as: UTF8.self) }

  /// A value as messages show it: truncated and escaped.
  private func quoted(_ value: ArraySlice<UInt8>) -> String {
    let text = String(decoding: value.prefix(40), as: UTF8.self).printable
    return "'\(text)\(value.count > 40 ? "…" : "")'"
  }

  private func rejection(_ column: TripColumn, _ reason: String) -> RejectedRow {
    rejection(at: header.index(of: column) ?? 0, reason)
  }

  private func rejection(at index: Int, _ reason: String) -> RejectedRow {
    let name = index < header.names.count ? header.names[index].printable : nil
    return RejectedRow(line: record.line, column: index + 1, name: name, reason: reason)
  }
}

/// An invalid row, with the reason.
package struct RejectedRow: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line on which the row starts, from 1.
  let line: Int
  /// The invalid column, from 1.
  let column: Int
  /// Its name; nil if the header has none.
  let name: String?
  let reason: String

  package var description: String { "line \(line), column \(column) (\(name ?? "unnamed")): \(reason)" }
}

/// A calendar date and time in seconds, without a time zone.
struct Timestamp: Hashable, Sendable {
  /// The seconds since the start of the year 0 of the Gregorian calendar.
  let seconds: Int

  /// Parses `YYYY-MM-DD hh:mm:ss`; nil for any other text or an invalid date.
  init?(_ text: some Collection<UInt8>) {
    let text = Array(text)
    guard text.count == 19, Timestamp.hasSeparators(text),
      let year = Timestamp.number(text[0..<4]), let month = Timestamp.number(text[5..<7]),
      let day = Timestamp.number(text[8..<10]), let hour = Timestamp.number(text[11..<13]),
      let minute = Timestamp.number(text[14..<16]), let second = Timestamp.number(text[17..<19]),
      (1...12).contains(month), (1...Timestamp.days(in: month, of: year)).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    let months = (1..<month).reduce(0) { $0 + Timestamp.days(in: $1, of: year) }
    let leapDays = year == 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
    let days = year * 365 + leapDays + months + day - 1
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func hasSeparators(_ text: [UInt8]) -> Bool {
    text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-") && text[10] == UInt8(ascii: " ")
      && text[13] == UInt8(ascii: ":") && text[16] == UInt8(ascii: ":")
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
