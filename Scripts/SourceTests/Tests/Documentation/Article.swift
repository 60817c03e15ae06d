// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// An article of a documentation catalog, as the program that its samples are together.
///
/// Samples that declare something stand as they are. Of those that do something, each is put into a method: of the type
/// that a comment in front of it names (`<!-- in RideInteractor -->`), or else into a function on the main actor. What
/// the article needs stands in it too, as a sample in a comment, which readers don't see.
struct Article: Sendable, CustomTestStringConvertible {
  let file: URL

  var testDescription: String { file.lastPathComponent }

  /// The articles of all catalogs that have samples, without those of the tutorial: their samples are whole files of
  /// packages with dependencies, which TutorialTests compares, and Scripts/check-examples compiles.
  static let all = Sample.files(in: "Sources", "md").filter { $0.path.contains(".docc/") }
    .map(Article.init).filter { article in
      !article.samples.isEmpty
        && !TutorialTests.steps.contains { $0.article + ".md" == article.file.lastPathComponent }
    }

  private struct Piece {
    let line: Int
    let type: String?
    var code: [String] = []
  }

  private var samples: [Piece] {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    var samples: [Piece] = []
    var open: Piece?
    var type: String?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line == "```swift" {
        open = Piece(line: index + 2, type: type)
      } else if line == "```" {
        if let open { samples.append(open) }
        open = nil
      } else {
        // An article is one module.
        open?.code.append(line.hasPrefix("@testable import ") ? "" : line)
      }
      if !line.isEmpty { type = line.contents(between: "<!-- in ", and: " -->") }
    }
    return samples
  }

  /// What the compiler is given. It names places in the article.
  var program: String {
    samples.map { sample in
      let code = sample.code.joined(separator: "\n").replacingOccurrences(of: "…", with: "")
      let place = "#sourceLocation(file: \"\(file.lastPathComponent)\", line: \(sample.line))"
      let function = "func sample\(sample.line)() async throws"
      if let type = sample.type {
        return "extension \(type) { \(function) {\n\(place)\n\(code)\n} }"
      }
      return Self.declares(code) ? "\(place)\n\(code)" : "@MainActor \(function) {\n\(place)\n\(code)\n}"
    }.joined(separator: "\n")
  }

  /// Whether a piece of code stands by itself.
  private static func declares(_ code: String) -> Bool {
    let beginnings = [
      "import ", "protocol ", "final class ", "class ", "struct ", "enum ", "actor ", "extension ", "func ",
      "typealias ", "@main", "@MainActor", "@Suite", "public ",
    ]
    let lines = code.split(separator: "\n").filter { !$0.hasPrefix("//") }
    return beginnings.contains { lines.first?.hasPrefix($0) ?? false }
  }
}

extension String {
  /// What stands between a beginning and an end, if this is all.
  fileprivate func contents(between beginning: String, and end: String) -> String? {
    guard hasPrefix(beginning), hasSuffix(end) else { return nil }
    return String(dropFirst(beginning.count).dropLast(end.count))
  }
}
