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
