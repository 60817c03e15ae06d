// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// A replacement of a range of a file.
struct TextEdit {
  /// The replaced range in UTF-8 offsets; empty to insert.
  let range: Range<Int>
  let text: String

  init(_ range: Range<AbsolutePosition>, _ text: String) {
    self.range = range.lowerBound.utf8Offset..<range.upperBound.utf8Offset
    self.text = text
  }

  /// Inserts a text.
  init(at position: AbsolutePosition, _ text: String) { self.init(position..<position, text) }
}

extension Workspace {
  /// Edits a file. Inserted lines use the line endings of the file.
  func edit(_ path: String, _ edits: [TextEdit]) throws {
    let before = try source(at: path)
    let old = before.text
    let usesReturns = old.utf8.firstRange(of: "\r\n".utf8) != nil
    var bytes = Array(old.utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      let text = usesReturns ? edit.text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n") : edit.text
      bytes.replaceSubrange(edit.range, with: Array(text.utf8))
    }
    let new = String(decoding: bytes, as: UTF8.self)
    let file = SourceFile(path: path, text: new)
    if file.syntax.hasError && !before.syntax.hasError {
      let places = edits.map {
        "\(path):\(old.utf8.prefix($0.range.lowerBound).count { $0 == UInt8(ascii: "\n") } + 1)"
      }
      throw Failure.refused(
        "an edit would not leave valid Swift; edit this by hand:", advice: Set(places).sorted())
    }
    write(new, to: path)
  }
}

extension SourceFile {
  /// The text of a range.
  func text(in range: Range<AbsolutePosition>) -> String {
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound.utf8Offset)
    let end = utf8.index(utf8.startIndex, offsetBy: range.upperBound.utf8Offset)
    return String(text[start..<end])
  }

  /// The text of the line from its start to a position.
  func lineText(before position: AbsolutePosition) -> String {
    let bytes = text.utf8
    let end = bytes.index(bytes.startIndex, offsetBy: position.utf8Offset)
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { bytes.index(after: $0) } ?? bytes.startIndex
    return String(text[start..<end])
  }

  /// The text of the line from a position to its end.
  func lineText(after position: AbsolutePosition) -> String {
    let bytes = text.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: position.utf8Offset)
    let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.endIndex
    return String(text[start..<end])
  }

  /// The indentation of the line on which a node begins.
  func indentation(of node: some SyntaxProtocol) -> String {
    String(lineText(before: node.positionAfterSkippingLeadingTrivia).prefix { $0 == " " || $0 == "\t" })
  }
}
