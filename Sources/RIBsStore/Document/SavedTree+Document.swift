// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RIBs

extension SavedTree {
  /// Encodes the tree as a document. Equal trees are encoded as equal bytes.
  ///
  /// - Parameter coder: encodes the states and routes.
  /// - Throws: the error of the coder.
  /// - Complexity: linear in the number of RIBs and the size of their states.
  public func encoded(by coder: some SavedTree.Coder) throws -> [UInt8] {
    var text = Array("{\"format\":\(SavedTree.format),\"ribs\":[".utf8)
    for (index, record) in records.enumerated() {
      text += (index == 0 ? "\n{" : ",\n{").utf8
      if record.parent >= 0 { text += "\"in\":\(record.parent),".utf8 }
      if let place = record.place {
        text += "\"at\":".utf8
        text.appendJSON(place.container)
        text += (place.index == 0 ? "," : ",\"index\":\(place.index),").utf8
      }
      text += "\"rib\":".utf8
      text.appendJSON(record.name.text)
      if record.isRestarting { text += ",\"restarting\":true".utf8 }
      if let details = record.details { try text.append(details, by: coder) }
      text.append(UInt8(ascii: "}"))
    }
    text += "\n]}\n".utf8
    return text
  }

  /// Reads a document. States and routes are decoded when a tree is restored from it.
  ///
  /// - Parameter document: the bytes of the document. They are untrusted input.
  /// - Throws: the error says what is wrong with the document, if it is not a saved tree of a known format.
  /// - Complexity: linear in the size of the document.
  public init(_ document: [UInt8]) throws(SavedTree.RestoreError) {
    var reader = DocumentReader(document)
    self.init(records: try reader.readTree())
  }

  /// The bytes of a coder in the JSON text of a document: the text itself, or a string in Base64.
  @Sendable
  static func unwrap(_ text: ArraySlice<UInt8>, for coder: any Coder) throws -> [UInt8] {
    if coder.writesJSON { return Array(text) }
    guard text.count >= 2, text.first == .quote, let bytes = Data(base64Encoded: Data(text.dropFirst().dropLast()))
    else { throw NotBase64() }
    return Array(bytes)
  }
}

/// The error of a value that was saved by another coder.
struct NotBase64: Error, CustomStringConvertible {
  var description: String { "The state is not a string in Base64, because another coder saved it." }
}

extension SavedValue {
  /// The JSON text of the value.
  fileprivate func text(by coder: some SavedTree.Coder) throws -> ArraySlice<UInt8> {
    switch self {
    case .captured(let value):
      let bytes = try coder.encode(value)
      return coder.writesJSON ? bytes[...] : ([.quote] + Data(bytes).base64EncodedData() + [.quote])[...]
    case .text(let text, _): return text
    }
  }
}

extension [UInt8] {
  fileprivate static func += (text: inout [UInt8], more: String.UTF8View) { text.append(contentsOf: more) }

  fileprivate mutating func append(_ details: SavedTree.Details, by coder: some SavedTree.Coder) throws {
    if let state = details.state {
      self += ",\"v\":\(details.version),\"state\":".utf8
      append(contentsOf: try state.text(by: coder))
    }
    guard !details.containers.isEmpty else { return }
    self += ",\"children\":{".utf8
    for (index, container) in details.containers.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      appendJSON(container.name)
      append(UInt8(ascii: ":"))
      append(contentsOf: try container.routes.text(by: coder))
    }
    append(UInt8(ascii: "}"))
    let lost = details.containers.compactMap { container in container.lost.map { (container.name, $0) } }
    guard !lost.isEmpty else { return }
    self += ",\"lost\":{".utf8
    for (index, (name, position)) in lost.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      appendJSON(name)
      self += ":\(position)".utf8
    }
    append(UInt8(ascii: "}"))
  }

  /// Appends a text as a JSON string.
  fileprivate mutating func appendJSON(_ text: String) {
    append(.quote)
    for byte in text.utf8 {
      switch byte {
      case .quote, .backslash: append(contentsOf: [.backslash, byte])
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        self += "\\u00".utf8
        append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
      default: append(byte)
      }
    }
    append(.quote)
  }
}

extension UInt8 {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
}
