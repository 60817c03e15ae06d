/// Reads the trips of a file, one after the other, in memory that does not grow with the file.
struct TripReader {
  /// What a row turned out to be.
  enum Row: Hashable, Sendable {
    case trip(Trip)
    case rejected(RejectedRow)
  }

  /// Where the columns are.
  let header: TripHeader
  private var records: CSVReader
  private var record = CSVRecord()
  private var rows = 0

  /// Reads the header.
  ///
  /// - Throws: `TripFileError`, or `CancellationError`.
  init(_ source: any ByteSource) throws {
    records = CSVReader(source)
    repeat {
      guard try records.read(into: &record) else { throw TripFileError.empty }
    } while record.isBlank
    header = try TripHeader(record)
  }

  /// Reads the next row. Blank lines are none, but every other row counts, so that a trip's number, and with it the
  /// course of its order, does not depend on what is wrong with others.
  ///
  /// - Returns: the row; nil at the end of the file.
  mutating func next() throws -> Row? {
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
