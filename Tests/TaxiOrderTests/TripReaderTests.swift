// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("A reader of trip files")
struct TripReaderTests {
  private let header = "pickup,dropoff,distance,fare,tip,tolls,total,payment,pickup_zone,dropoff_zone\n"
  private let row = "2021-06-01 08:00:00,2021-06-01 08:10:00,1.5,8.0,1.5,6.12,18.92,credit card,Elm Court,Mill Pond\n"

  private func rows(_ text: String) throws -> [TripReader.Row] {
    var reader = try TripReader(TextSource(text))
    var rows: [TripReader.Row] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  /// The trip in the last row.
  private func trip(_ text: String) throws -> Trip {
    guard case .trip(let trip) = try #require(try rows(text).last) else { throw TripFileError.empty }
    return trip
  }

  @Test("parses a row, with the surcharge as the rest of the total")
  func trip() throws {
    let trip = try trip(header + row)
    #expect(trip.number == 1)
    #expect(trip.rider == Rider(pickupZone: "Elm Court", dropoffZone: "Mill Pond", payment: .card))
    #expect((trip.duration, trip.distance.micromiles) == (.seconds(600), 1_500_000))
    #expect(trip.bill == Bill(fare: Cents(800), tip: Cents(150), tolls: Cents(612), surcharge: Cents(330)))
  }

  @Test("finds columns by name, in any order, and ignores the rest")
  func columns() throws {
    let text = """
      x,dropoff_zone,total,tolls,tip,fare,distance,dropoff,pickup,payment,pickup_zone,x
      ?,Mill Pond,18.92,6.12,1.5,8.0,1.5,2021-06-01 08:10:00,2021-06-01 08:00:00,credit card,Elm Court,?
      """
    #expect(try trip(text) == trip(header + row))
  }

  @Test("accepts missing columns for payment and zones: cash, the rider's position, no destination")
  func missingOptionalColumns() throws {
    let text = "pickup,dropoff,distance,fare,tip,tolls,total\n2021-06-01 08:00:00,2021-06-01 08:00:00,0,0,0,0,0"
    #expect(try trip(text).rider == Rider(pickupZone: nil, dropoffZone: nil, payment: .cash))
  }

  @Test("accepts a byte order mark, carriage returns, blank lines and a missing final newline")
  func tolerance() throws {
    let lines = ["\u{FEFF}", String(header.dropLast()), String(row.dropLast()), "", String(row.dropLast()), "\n\n"]
    #expect(try rows(lines.joined(separator: "\r\n")).count == 2)
    #expect(try rows(header + String(row.dropLast())).count == 1)
    #expect(try rows(header) == [])
  }

  @Test(
    "refuses a file that is not a trip file",
    arguments: [
      ("", TripFileError.empty), ("\n\n", .empty), ("\u{FEFF}", .empty),
      ("pickup,dropoff,fare,tip,total\n", .missingColumns(["distance", "tolls"])),
      ("Pickup,dropoff,distance,fare,tip,tolls,total\n", .missingColumns(["pickup"])),
      ("pickup,dropoff,distance,fare,tip,tolls,total,tip\n", .repeatedColumn("tip")),
      ("pickup,\"dropoff\n", .malformedHeader(column: 2, "a quote is never closed")),
      (
        "pickup,dropoff,distance,fare,tip,tolls,total\r2021-06-01 08:00:00,2021-06-01 08:00:00,0,0,0,0,0\r",
        .malformedHeader(column: 7, "a carriage return without a newline")
      ),
    ])
  func noTripFile(text: String, error: TripFileError) {
    #expect(throws: error) { try TripReader(TextSource(text)) }
  }

  @Test("refuses a header that is too long", arguments: [",", "x", "\"\""])
  func endlessHeader(part: String) {
    let text = header.dropLast() + "," + String(repeating: part, count: CSVReader.longestRecord)
    let error = #expect(throws: TripFileError.self) { try TripReader(TextSource(text)) }
    #expect(error?.description.hasSuffix(": the row is longer than 1024 KiB") == true)
  }

  @Test("reports the position of an error, without terminal control sequences")
  func rejection() throws {
    let rejected = RejectedRow(
      line: 3, column: 4, name: "fare", reason: "'8\\u{1b}[31m' is not an amount in dollars and cents")
    #expect(try rows(header + row + row.replacing(",8.0,", with: ",8\u{1B}[31m,")).last == .rejected(rejected))
  }

  @Test("rejects amounts whose sum is more than any total")
  func overflow() throws {
    let most = "92233720368547758.07"
    let bad = "2021-06-01 08:00:00,2021-06-01 08:10:00,1.5,\(most),\(most),\(most),\(most),cash,,\n"
    let rejected = try rows(header + bad).map { if case .rejected(let row) = $0 { row.name } else { "accepted" } }
    #expect(rejected == ["total"])
  }

  @Test("numbers a trip by its row, whether or not rows before it are valid")
  func numbers() throws {
    #expect(try trip(header + "rubbish\n\n" + row).number == 2)
  }
}
