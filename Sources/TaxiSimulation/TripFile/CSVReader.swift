// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder

/// Reads comma-separated values (RFC 4180), one record at a time.
///
/// Quoted fields may contain commas, newlines and doubled quotes. Lines end in a newline, with or without a carriage
/// return; the last may have none. A byte order mark is skipped. Memory is bounded: the rest of a record longer than
/// the limit is discarded.
struct CSVReader {
  private enum State {
    case fieldStart
    case unquoted
    case quoted
    /// After a quote in a quoted field: its end, or the first of a doubled quote.
    case quote
    /// After a carriage return outside quotes.
    case carriageReturn
  }

  /// The maximum length of a record in bytes, including commas and excluding quotes.
  static let longestRecord = 1 << 20

  private let source: any ByteSource
  private let limit: Int
  private var chunk: ArraySlice<UInt8> = []
  private var line = 1
  private var hasBegun = false
  private var hasEnded = false

  init(_ source: any ByteSource, limit: Int = longestRecord) {
    self.source = source
    self.limit = limit
  }

  /// Reads the next record, including blank lines.
  ///
  /// - Parameter record: receives the record. Its storage is reused.
  /// - Returns: false at the end.
  mutating func read(into record: inout CSVRecord) throws -> Bool {
    record.reset(line: line)
    var state = State.fieldStart
    var isEmpty = true
    while let byte = try nextByte() {
      isEmpty = false
      if byte == .newline { line += 1 }
      if step(byte, &state, &record) { return true }
    }
    guard !isEmpty else { return false }
    if state == .carriageReturn { record.append(.carriageReturn) }
    if state == .quoted { record.report(.unclosedQuote) }
    record.endField()
    return true
  }

  /// Processes one byte.
  ///
  /// - Returns: whether it ended the record.
  private func step(_ byte: UInt8, _ state: inout State, _ record: inout CSVRecord) -> Bool {
    switch (state, byte) {
    case (.quoted, .quote): state = .quote
    case (.quoted, _): append(byte, to: &record)
    case (.fieldStart, .quote): state = .quoted
    case (.quote, .quote):
      append(byte, to: &record)
      state = .quoted
    case (_, .newline):
      record.endField()
      return true
    case (.carriageReturn, _):
      // A carriage return without a newline is part of the field.
      append(.carriageReturn, to: &record)
      state = .unquoted
      return step(byte, &state, &record)
    case (_, .comma):
      if record.length < limit { record.endField() } else { record.report(.tooLong) }
      state = .fieldStart
    case (_, .carriageReturn): state = .carriageReturn
    case (.quote, _):
      record.report(.textAfterQuote)
      append(byte, to: &record)
      state = .unquoted
    default:
      if byte == .quote { record.report(.quoteInsideField) }
      append(byte, to: &record)
      state = .unquoted
    }
    return false
  }

  private func append(_ byte: UInt8, to record: inout CSVRecord) {
    if record.length < limit { record.append(byte) } else { record.report(.tooLong) }
  }

  private mutating func nextByte() throws -> UInt8? {
    while true {
      if let byte = chunk.popFirst() { return byte }
      guard !hasEnded else { return nil }
      chunk = try source.read()[...]
      hasEnded = chunk.isEmpty
      if !hasBegun {
        hasBegun = true
        try skipByteOrderMark()
      }
    }
  }

  /// The mark may be split: a source returns any number of bytes at a time.
  private mutating func skipByteOrderMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    while chunk.count < mark.count, mark.starts(with: chunk), !hasEnded {
      let more = try source.read()
      hasEnded = more.isEmpty
      chunk = (chunk + more)[...]
    }
    if chunk.starts(with: mark) { chunk = chunk.dropFirst(mark.count) }
  }
}

extension UInt8 {
  fileprivate static var newline: UInt8 { UInt8(ascii: "\n") }
  fileprivate static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
  fileprivate static var comma: UInt8 { UInt8(ascii: ",") }
  fileprivate static var quote: UInt8 { UInt8(ascii: "\"") }
}

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
