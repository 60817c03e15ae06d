internal import Foundation

/// The content of a file: a header in the first line, and the document as it is.
struct RecordFile: Sendable {
  struct Header: Codable, Hashable, Sendable {
    /// The format of the file.
    var store = RecordFile.format
    let kind: String
    let id: String
    let fence: UInt64
    let version: UInt64
    let schema: Int
    /// The number of bytes of the document.
    let bytes: Int
  }

  static let format = 1
  /// The largest fence and version of a record. Each is increased one by one, so a larger number is damage.
  static let largestNumber = UInt64.max / 2
  /// Larger than each header: the names in it have at most 240 bytes encoded, and JSON escapes take at most six bytes.
  static let longestHeader = 4_096

  let header: Header
  let document: [UInt8]

  func saved(isAwake: Bool) -> SavedRecord {
    SavedRecord(version: header.version, schema: header.schema, document: document, isAwake: isAwake)
  }

  static func bytes(of document: [UInt8], in record: TreeRecord) -> [UInt8] {
    let header = Header(
      kind: record.key.kind, id: record.key.id, fence: record.fence, version: record.version, schema: record.schema,
      bytes: document.count)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and integers can always be encoded.
    var bytes = (try? encoder.encode(header)).map(Array.init) ?? []
    bytes.reserveCapacity(bytes.count + 1 + document.count)
    bytes.append(UInt8(ascii: "\n"))
    bytes += document
    return bytes
  }

  /// Reads a file, whose header has to name the tree.
  init(_ bytes: [UInt8], of key: TreeKey, in file: String) throws(FileStoreError) {
    let end = try RecordFile.endOfHeader(bytes, in: file)
    header = try RecordFile.header(in: bytes, of: key, in: file)
    document = Array(bytes[(end + 1)...])
    guard document.count == header.bytes else {
      throw .damaged(
        file: file, reason: "its header announces \(header.bytes) bytes, and \(document.count) bytes follow")
    }
  }

  /// Reads the header at the start of a file.
  static func header(in bytes: [UInt8], of key: TreeKey, in file: String) throws(FileStoreError) -> Header {
    struct Format: Codable { let store: Int }
    let line = Data(bytes[..<(try endOfHeader(bytes, in: file))])
    let decoder = JSONDecoder()
    guard let header = try? decoder.decode(Header.self, from: line), header.store == format else {
      if let later = try? decoder.decode(Format.self, from: line).store, later > format {
        throw .laterFormat(file: file, format: later)
      }
      throw .damaged(file: file, reason: "its first line is no header")
    }
    guard header.kind == key.kind, header.id == key.id else {
      throw .damaged(file: file, reason: "its header names another tree, \(header.kind)/\(header.id)")
    }
    guard header.fence <= largestNumber, header.version <= largestNumber else {
      throw .damaged(file: file, reason: "the fence or the version in its header is too large")
    }
    return header
  }

  private static func endOfHeader(_ bytes: [UInt8], in file: String) throws(FileStoreError) -> Int {
    guard let end = bytes.prefix(longestHeader).firstIndex(of: UInt8(ascii: "\n")) else {
      throw .damaged(file: file, reason: bytes.isEmpty ? "it is empty" : "it has no header")
    }
    return end
  }
}
