/// A record of comma-separated values.
struct CSVRecord {
  /// A syntax error of a record.
  enum Problem: Hashable, CustomStringConvertible {
    case quoteInsideField
    case textAfterQuote
    case unclosedQuote
    case tooLong

    var description: String {
      switch self {
      case .quoteInsideField: "a quote inside a value that does not begin with one"
      case .textAfterQuote: "text after the closing quote"
      case .unclosedQuote: "a quote is never closed"
      case .tooLong: "the row is longer than \(CSVReader.longestRecord / 1024) KiB"
      }
    }
  }

  /// The line on which the record starts, from 1.
  var line = 1
  /// The contents of all fields, without quotes.
  private(set) var bytes: [UInt8] = []
  /// The end of each completed field in `bytes`.
  private var ends: [Int] = []
  /// The first problem, with the index of its field.
  private(set) var problem: (kind: Problem, field: Int)?

  /// The number of fields.
  var count: Int { ends.count }

  /// The length in bytes, including commas and excluding quotes.
  var length: Int { bytes.count + ends.count }

  /// Whether the record is a blank line.
  var isBlank: Bool { count == 1 && bytes.isEmpty && problem == nil }

  subscript(field: Int) -> ArraySlice<UInt8> { bytes[(field == 0 ? 0 : ends[field - 1])..<ends[field]] }

  func text(_ field: Int) -> String { String(decoding: self[field], as: UTF8.self) }

  // MARK: Parsing

  mutating func reset(line: Int) {
    self.line = line
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    problem = nil
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func endField() { ends.append(bytes.count) }

  mutating func report(_ kind: Problem) {
    if problem == nil { problem = (kind, ends.count) }
  }
}
