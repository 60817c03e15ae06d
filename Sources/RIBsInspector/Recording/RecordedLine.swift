// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A value of a line of a recording.
enum RecordedValue: Sendable {
  case null
  case bool(Bool)
  /// A number without a fraction.
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([RecordedValue])
  case fields([(String, RecordedValue)])

  subscript(field: String) -> RecordedValue? {
    guard case .fields(let fields) = self else { return nil }
    return fields.first { $0.0 == field }?.1
  }

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var int: Int? { integer.flatMap { Int(exactly: $0) } }
  var id: UInt64? { integer.flatMap { UInt64(exactly: $0) } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var list: [RecordedValue]? { if case .list(let value) = self { value } else { nil } }

  var seconds: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// A time in seconds since 1970; nil for what no clock shows.
  var wallTime: Double? { seconds.flatMap { abs($0) < 1e12 ? $0 : nil } }

  /// Parses a line of a recording: the subset of JSON that recorders write, without white space, exponents, surrogate
  /// pairs, and more than 16 levels.
  ///
  /// - Returns: nil if the line is none of it.
  init?(_ bytes: some Collection<UInt8>) {
    let value = bytes.withContiguousStorageIfAvailable { buffer -> RecordedValue? in
      var parser = Parser(bytes: buffer)
      guard let value = parser.value(depth: 0) else { return nil }
      return parser.isAtEnd ? value : nil
    }
    guard let value = value ?? nil else { return nil }
    self = value
  }

  /// Parses the subset. Never traps, whatever the bytes are.
  private struct Parser {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: Character) -> Bool {
      guard next == byte.asciiValue else { return false }
      position += 1
      return true
    }

    private mutating func take(word: StaticString) -> Bool {
      let count = word.utf8CodeUnitCount
      guard bytes.count - position >= count else { return false }
      for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
      position += count
      return true
    }

    mutating func value(depth: Int) -> RecordedValue? {
      guard depth < 16, let first = next else { return nil }
      switch first {
      case UInt8(ascii: "{"): return fields(depth)
      case UInt8(ascii: "["): return list(depth)
      case UInt8(ascii: "\""): return text().map { .text($0) }
      case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
      case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
      case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
      default: return number()
      }
    }

    private mutating func fields(_ depth: Int) -> RecordedValue? {
      position += 1
      var fields: [(String, RecordedValue)] = []
      if take("}") { return .fields(fields) }
      while true {
        guard next == UInt8(ascii: "\""), let name = text(), take(":"), let value = value(depth: depth + 1) else {
          return nil
        }
        fields.append((name, value))
        if take("}") { return .fields(fields) }
        guard take(",") else { return nil }
      }
    }

    private mutating func list(_ depth: Int) -> RecordedValue? {
      position += 1
      var items: [RecordedValue] = []
      if take("]") { return .list(items) }
      while true {
        guard let item = value(depth: depth + 1) else { return nil }
        items.append(item)
        if take("]") { return .list(items) }
        guard take(",") else { return nil }
      }
    }

    private mutating func number() -> RecordedValue? {
      let start = position
      let isNegative = take("-")
      var value: Int64 = 0
      var overflows = false
      while let digit = next, digit >= 0x30, digit <= 0x39 {
        let (product, first) = value.multipliedReportingOverflow(by: 10)
        let (sum, second) = product.addingReportingOverflow(Int64(digit - 0x30))
        overflows = overflows || first || second
        value = sum
        position += 1
      }
      guard position > start + (isNegative ? 1 : 0) else { return nil }
      guard take(".") else { return overflows ? nil : .integer(isNegative ? -value : value) }
      while let digit = next, digit >= 0x30, digit <= 0x39 { position += 1 }
      return Double(String(decoding: bytes[start..<position], as: UTF8.self)).map { .number($0) }
    }

    private mutating func text() -> String? {
      position += 1
      let start = position
      while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
      if take("\"") { return String(decoding: bytes[start..<position - 1], as: UTF8.self) }
      var text = Array(bytes[start..<position])
      while let byte = next, byte >= 0x20 {
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
        case UInt8(ascii: "\\"):
          guard let scalar = escaped() else { return nil }
          text += Array(String(scalar).utf8)
        default: text.append(byte)
        }
      }
      return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
      guard let byte = next else { return nil }
      position += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
      case UInt8(ascii: "b"): return "\u{8}"
      case UInt8(ascii: "t"): return "\t"
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "f"): return "\u{c}"
      case UInt8(ascii: "r"): return "\r"
      case UInt8(ascii: "u"):
        // A recorder escapes only control characters, which have no surrogates.
        guard bytes.count - position >= 4 else { return nil }
        let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        position += 4
        return code.flatMap(Unicode.Scalar.init)
      default: return nil
      }
    }
  }
}
