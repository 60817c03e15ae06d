import SwiftParser
import SwiftSyntax

/// A Swift file: its text and its syntax. It is parsed whatever it says; what is no Swift is part of the syntax.
public struct SourceFile: Sendable {
  /// The path, relative to what was searched, with slashes.
  public let path: String
  /// The whole text.
  public let text: String
  /// The syntax of the text; its positions are offsets in UTF-8.
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

  /// Where something is, as compilers write it: `path:line`.
  public func place(of node: some SyntaxProtocol) -> String { place(at: node.positionAfterSkippingLeadingTrivia) }

  /// Where a position is, as compilers write it: `path:line`.
  public func place(at position: AbsolutePosition) -> String { "\(path):\(line(at: position))" }

  /// The line of a position; the first is 1.
  public func line(at position: AbsolutePosition) -> Int { converter.location(for: position).line }

  /// The column of a position, in UTF-8 units; the first is 1.
  public func column(at position: AbsolutePosition) -> Int { converter.location(for: position).column }
}
