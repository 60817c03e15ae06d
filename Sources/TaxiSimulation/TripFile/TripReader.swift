// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import TaxiOrder

/// Reads the trips of a file sequentially, in constant memory.
package struct TripReader {
  /// A parsed row.
  package enum Row: Hashable, Sendable {
    case trip(Trip)
    case rejected(RejectedRow)
  }

  /// The positions of the columns.
  let header: TripHeader
  private var records: CSVReader
  private var record = CSVRecord()
  private var rows = 0

  /// Reads the header.
  ///
  /// - Throws: `TripFileError`, or `CancellationError`.
  package init(_ source: any ByteSource) throws {
    records = CSVReader(source)
    repeat {
      guard try records.read(into: &record) else { throw TripFileError.empty }
    } while record.isBlank
    header = try TripHeader(record)
  }

  /// Reads the next row, skipping blank lines. Invalid rows are counted too, so that a trip's number, on which its
  /// order depends, does not depend on the validity of other rows.
  ///
  /// - Returns: the row; nil at the end of the file.
  package mutating func next() throws -> Row? {
    repeat {
      guard try records.read(into: &record) else { return nil }
    } while record.isBlank
    rows += 1
    do {
      return .trip(try TripRow(header: header, record: record).trip(number: rows))
    } catch {
      return .rejected(error)
    }
  }
}

/// The positions of the columns in a trip file.
struct TripHeader {
  /// All names, for messages.
  let names: [String]
  private let indexes: [TripColumn: Int]

  /// - Parameter record: the first record that is not blank.
  init(_ record: CSVRecord) throws(TripFileError) {
    if let (kind, field) = record.problem { throw .malformedHeader(column: field + 1, "\(kind)") }
    names = (0..<record.count).map { record.text($0) }
    var indexes: [TripColumn: Int] = [:]
    for (index, name) in names.enumerated() {
      // Lines that end in a carriage return only: the whole file would be the header.
      guard !name.utf8.contains(UInt8(ascii: "\r")) else {
        throw .malformedHeader(column: index + 1, "a carriage return without a newline")
      }
      guard let column = TripColumn(rawValue: name) else { continue }
      guard indexes[column] == nil else { throw .repeatedColumn(name) }
      indexes[column] = index
    }
    let missing = TripColumn.allCases.filter { $0.isRequired && indexes[$0] == nil }
    guard missing.isEmpty else { throw .missingColumns(missing.map(\.rawValue)) }
    self.indexes = indexes
  }

  /// The index of a column; nil if the file does not have it.
  func index(of column: TripColumn) -> Int? { indexes[column] }
}

/// The columns of a trip file that are used.
enum TripColumn: String, CaseIterable, Sendable {
  case pickup, dropoff, distance, fare, tip, tolls, total, payment
  case pickupZone = "pickup_zone"
  case dropoffZone = "dropoff_zone"

  /// Whether the column must exist and its values must not be empty.
  var isRequired: Bool {
    switch self {
    case .pickup, .dropoff, .distance, .fare, .tip, .tolls, .total: true
    case .payment, .pickupZone, .dropoffZone: false
    }
  }
}

/// An error because of which a file can't be replayed.
package enum TripFileError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case malformedHeader(column: Int, String)
  case missingColumns([String])
  case repeatedColumn(String)
  /// The message of the operating system.
  case unreadable(String)

  package var description: String {
    switch self {
    case .empty: "it is empty; the first line must name the columns"
    case .malformedHeader(let column, let reason): "column \(column) of the first line is malformed: \(reason)"
    case .missingColumns(let names):
      "the first line has no column \(names.map { "'\($0)'" }.joined(separator: ", "))"
    case .repeatedColumn(let name): "the first line names the column '\(name)' twice"
    case .unreadable(let reason): reason
    }
  }
}
