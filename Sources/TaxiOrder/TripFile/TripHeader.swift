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
