// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

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
    /// When the tree must be woken, in microseconds since 1970; nil for never. Earlier versions ignore it.
    var wakes: WallTime?
    /// The number of bytes of the document.
    let bytes: Int
    /// The checksum of the header, in which the digits of the checksum are zeros, and of the document. Files of earlier
    /// versions have none, and earlier versions ignore it.
    var checksum: String?
  }

  static let format = 1
  /// The largest fence and version of a record. Each is increased one by one, so a larger number is damage.
  static let largestNumber = UInt64.max / 2
  /// Larger than each header: the names in it have at most 240 bytes encoded, and JSON escapes take at most six bytes.
  static let longestHeader = 4_096

  let header: Header
  let document: [UInt8]

  func saved(isAwake: Bool) -> SavedRecord {
    SavedRecord(
      version: header.version, schema: header.schema, document: document, isAwake: isAwake, wakes: header.wakes)
  }

  static func bytes(of document: [UInt8], in record: TreeRecord) -> [UInt8] {
    bytes(
      of: document,
      Header(
        kind: record.key.kind, id: record.key.id, fence: record.fence, version: record.version, schema: record.schema,
        wakes: record.wakes, bytes: document.count))
  }

  /// The file with another wake time, and otherwise the same.
  func bytes(waking time: WallTime?) -> [UInt8] {
    var header = header
    header.wakes = time
    return RecordFile.bytes(of: document, header)
  }

  private static func bytes(of document: [UInt8], _ header: Header) -> [UInt8] {
    var header = header
    header.checksum = String(decoding: noChecksum, as: UTF8.self)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and integers can always be encoded.
    var bytes = (try? encoder.encode(header)).map(Array.init) ?? []
    if let place = checksumPlace(in: bytes) { bytes.replaceSubrange(place, with: checksum(bytes, document)) }
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
    try RecordFile.check(header, Array(bytes[..<end]), document, in: file)
  }

  // MARK: The checksum

  private static let noChecksum = [UInt8](repeating: UInt8(ascii: "0"), count: 16)
  private static let checksumKey = Array("\"checksum\":\"".utf8)

  private static func check(
    _ header: Header, _ line: [UInt8], _ document: [UInt8], in file: String
  ) throws(FileStoreError) {
    guard header.checksum != nil else {
      // A later version has other fields, and a checksum: a changed bit in its name must not switch it off.
      let fields = (try? JSONDecoder().decode([String: Field].self, from: Data(line)))?.count
      if fields == (header.wakes == nil ? 7 : 8) { return }
      throw .damaged(file: file, reason: "its header has an unknown field and no checksum")
    }
    var line = line
    guard let place = checksumPlace(in: line) else {
      throw .damaged(file: file, reason: "the checksum in its header has no 16 digits")
    }
    let found = Array(line[place])
    line.replaceSubrange(place, with: noChecksum)
    guard checksum(line, document) == found else {
      throw .damaged(
        file: file,
        reason:
          "its checksum does not match its content. If you have edited it, remove the checksum from its first line")
    }
  }

  /// A field of a header, whatever its type.
  private struct Field: Decodable {
    init(from decoder: any Decoder) {}
  }

  private static func checksum(_ header: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var checksum = Checksum()
    checksum.add(header)
    checksum.add(document)
    return checksum.digits
  }

  /// The place of the digits. A name in the header can't contain the key, because quotation marks in it are escaped.
  private static func checksumPlace(in header: [UInt8]) -> Range<Int>? {
    guard let key = header.firstRange(of: checksumKey), key.upperBound + noChecksum.count <= header.count else {
      return nil
    }
    return key.upperBound..<key.upperBound + noChecksum.count
  }

  // MARK: The header

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
