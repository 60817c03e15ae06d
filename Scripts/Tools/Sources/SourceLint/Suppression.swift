// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax
import SourceModel

/// A comment that suppresses a rule: `// ribs:ignore weak-listener: the parent goes first`, on the same line or the
/// line before, or `// ribs:ignore-file orphan-rib` for the whole file.
struct Suppression: Hashable, Sendable {
  let rule: String
  let line: Int
  let isForFile: Bool

  /// The suppressions of a file.
  static func all(in file: SourceFile) -> [Suppression] {
    guard file.text.contains("ribs:ignore") else { return [] }
    var found: [Suppression] = []
    for token in file.syntax.tokens(viewMode: .sourceAccurate) {
      var position = token.position
      for piece in token.leadingTrivia {
        found += suppressions(in: piece, at: position, of: file)
        position += piece.sourceLength
      }
      position = token.endPositionBeforeTrailingTrivia
      for piece in token.trailingTrivia {
        found += suppressions(in: piece, at: position, of: file)
        position += piece.sourceLength
      }
    }
    return found
  }

  private static func suppressions(
    in piece: TriviaPiece, at position: AbsolutePosition, of file: SourceFile
  ) -> [Suppression] {
    guard case .lineComment(let comment) = piece, comment.hasPrefix("// ribs:ignore") else { return [] }
    var rest = comment.dropFirst("// ribs:ignore".count)
    let isForFile = rest.hasPrefix("-file")
    if isForFile { rest = rest.dropFirst("-file".count) }
    guard rest.first == " " else { return [] }
    return rest.prefix { $0 != ":" }.split { $0 == "," || $0 == " " }.map { name in
      Suppression(rule: String(name), line: file.line(at: position), isForFile: isForFile)
    }
  }

  /// Whether it suppresses a finding of the same file.
  func covers(_ finding: Finding) -> Bool {
    finding.rule == rule && (isForFile || finding.line == line || finding.line == line + 1)
  }
}
