// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftParser
import SwiftSyntax

/// A Swift file: its text and its syntax tree. Parsing never fails; invalid code is kept as unexpected syntax.
public struct SourceFile: Sendable {
  /// The path relative to the search root, separated by slashes.
  public let path: String
  /// The complete text.
  public let text: String
  /// The syntax tree. Its positions are UTF-8 offsets.
  public let syntax: SourceFileSyntax

  private let converter: SourceLocationConverter

  /// Parses a text.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
    syntax = Parser.parse(source: text)
    converter = SourceLocationConverter(fileName: path, tree: syntax)
  }

  /// The imports, as they are written.
  public var imports: [String] {
    syntax.statements.compactMap { $0.item.as(ImportDeclSyntax.self)?.trimmedDescription }
  }

  /// The location of a node in compiler format: `path:line`.
  public func place(of node: some SyntaxProtocol) -> String { place(at: node.positionAfterSkippingLeadingTrivia) }

  /// The location of a position in compiler format: `path:line`.
  public func place(at position: AbsolutePosition) -> String { "\(path):\(line(at: position))" }

  /// The line of a position, starting at 1.
  public func line(at position: AbsolutePosition) -> Int { converter.location(for: position).line }

  /// The column of a position in UTF-8 units, starting at 1.
  public func column(at position: AbsolutePosition) -> Int { converter.location(for: position).column }
}
