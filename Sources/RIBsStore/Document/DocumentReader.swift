// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Reads the document of a saved tree, without recursion. The states and routes in it are skipped, and decoded later.
struct DocumentReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func readTree() throws(SavedTree.RestoreError) -> [SavedTree.Record] {
    var format: Int?
    var records: [SavedTree.Record]?
    try readObject { (reader, key) throws(SavedTree.RestoreError) in
      switch key {
      case "format":
        let number = try reader.readInteger()
        if number > SavedTree.format { throw SavedTree.RestoreError(path: "", reason: .laterFormat(number)) }
        format = number
      case "ribs": records = try reader.readRecords()
      default: _ = try reader.readValue()
      }
    }
    skipSpace()
    guard position == bytes.count else { throw error("something follows it") }
    guard let format, format == SavedTree.format else { throw error("it has no known format") }
    guard let records else { throw error("it has no RIBs") }
    return records
  }

  private mutating func readRecords() throws(SavedTree.RestoreError) -> [SavedTree.Record] {
    var records: [SavedTree.Record] = []
    try expect("[")
    if skip("]") { return records }
    repeat {
      let record = try readRecord()
      guard record.parent < records.count, (record.parent < 0) == records.isEmpty else {
        throw error("RIB number \(records.count) has no parent before it, or there are two roots")
      }
      records.append(record)
    } while skip(",")
    try expect("]")
    return records
  }

  private mutating func readRecord() throws(SavedTree.RestoreError) -> SavedTree.Record {
    var parent = -1
    var (index, version) = (0, 0)
    var (name, container): (String?, String?)
    var state: SavedValue?
    var containers: [(name: String, routes: SavedValue)] = []
    var lost: [String: Int] = [:]
    var isRestarting = false
    try readObject { (reader, key) throws(SavedTree.RestoreError) in
      switch key {
      case "in":
        parent = try reader.readInteger()
        guard parent >= 0 else { throw reader.error("a parent has a negative index") }
      case "at": container = try reader.readString()
      case "index": index = try reader.readInteger()
      case "rib": name = try reader.readString()
      case "v": version = try reader.readInteger()
      case "state": state = .text(try reader.readValue(), SavedTree.unwrap)
      case "children":
        try reader.readObject { (reader, name) throws(SavedTree.RestoreError) in
          containers.append((name, .text(try reader.readValue(), SavedTree.unwrap)))
        }
      case "restarting": isRestarting = try reader.readValue().elementsEqual("true".utf8)
      case "lost":
        try reader.readObject { (reader, name) throws(SavedTree.RestoreError) in lost[name] = try reader.readInteger() }
      default: _ = try reader.readValue()
      }
    }
    guard let name else { throw error("a RIB has no name") }
    guard let parent = Int32(exactly: parent) else { throw error("a RIB has no parent before it") }
    let held = containers.map { SavedTree.Container(name: $0.name, routes: $0.routes, lost: lost[$0.name]) }
    let hasDetails = state != nil || !held.isEmpty
    return SavedTree.Record(
      parent: parent, name: .text(name), place: container.map { SavedTree.Place(container: $0, index: index) },
      details: hasDetails ? SavedTree.Details(state: state, version: version, containers: held) : nil,
      isRestarting: isRestarting)
  }

  // MARK: JSON

  private mutating func readObject(
    _ readMember: (inout DocumentReader, String) throws(SavedTree.RestoreError) -> Void
  ) throws(SavedTree.RestoreError) {
    try expect("{")
    if skip("}") { return }
    repeat {
      let key = try readString()
      try expect(":")
      try readMember(&self, key)
    } while skip(",")
    try expect("}")
  }

  private mutating func readInteger() throws(SavedTree.RestoreError) -> Int {
    let text = try readValue()
    guard let number = Int(String(decoding: text, as: UTF8.self)) else { throw error("a number is expected") }
    return number
  }

  /// Skips a value, and returns its text. It may be malformed inside: the coder checks it.
  private mutating func readValue() throws(SavedTree.RestoreError) -> ArraySlice<UInt8> {
    skipSpace()
    let start = position
    var depth = 0
    repeat {
      skipSpace()
      guard position < bytes.count else { throw error("it ends too early") }
      switch bytes[position] {
      case .quote: try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { throw error("a value is expected") }
        depth -= 1
        position += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard depth > 0 else { throw error("a value is expected") }
        position += 1
      case 0...0x20: throw error("a value is expected")
      default: skipScalar()
      }
    } while depth > 0
    return bytes[start..<position]
  }

  /// Skips a number, `true`, `false` or `null`.
  private mutating func skipScalar() {
    while position < bytes.count {
      switch bytes[position] {
      case .quote, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","),
        UInt8(ascii: ":"), 0...0x20:
        return
      default: position += 1
      }
    }
  }

  private mutating func skipString() throws(SavedTree.RestoreError) {
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case .quote:
        position += 1
        return
      case .backslash: position += 2
      case 0..<0x20: throw error("a string has a control character")
      default: position += 1
      }
    }
    throw error("a string does not end")
  }

  private mutating func readString() throws(SavedTree.RestoreError) -> String {
    skipSpace()
    let start = position
    guard position < bytes.count, bytes[position] == .quote else { throw error("a string is expected") }
    try skipString()
    let content = bytes[(start + 1)..<(position - 1)]
    guard content.contains(.backslash) else {
      guard let text = String(validating: content, as: UTF8.self) else { throw error("a string is not UTF-8") }
      return text
    }
    return try unescaped(content)
  }

  private func unescaped(_ content: ArraySlice<UInt8>) throws(SavedTree.RestoreError) -> String {
    // The units are those of UTF-16 in escapes, which may be one half of a character.
    guard let raw = String(validating: content, as: UTF8.self) else { throw error("a string is not UTF-8") }
    var units: [UInt16] = []
    var rest = raw.utf16[...]
    while let unit = rest.popFirst() {
      guard unit == UInt16(UInt8.backslash) else {
        units.append(unit)
        continue
      }
      guard let kind = rest.popFirst(), let escape = UInt8(exactly: kind) else { throw error("an escape is unknown") }
      switch escape {
      case .quote, .backslash, UInt8(ascii: "/"): units.append(kind)
      case UInt8(ascii: "b"): units.append(8)
      case UInt8(ascii: "f"): units.append(12)
      case UInt8(ascii: "n"): units.append(10)
      case UInt8(ascii: "r"): units.append(13)
      case UInt8(ascii: "t"): units.append(9)
      case UInt8(ascii: "u"):
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        guard rest.count >= 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
          throw error("an escape is unknown")
        }
        rest = rest.dropFirst(4)
        units.append(unit)
      default: throw error("an escape is unknown")
      }
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw error("an escape is unknown") }
    return text
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(SavedTree.RestoreError) {
    guard skip(character) else { throw error("\(character) is expected") }
  }

  private func error(_ problem: String) -> SavedTree.RestoreError {
    SavedTree.RestoreError(path: "", reason: .malformedDocument("\(problem), at byte \(min(position, bytes.count))"))
  }
}
