// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The wording of articles and documents")
struct WordingTests {
  @Test("begins each article with the situation in which a reader needs it")
  func beginnings() throws {
    let files = Sample.files(in: "Sources", "md").filter { $0.path.contains(".docc/") }
    let articles = try files.map { ($0.path, try String(contentsOf: $0, encoding: .utf8)) }
      .filter { !$0.1.hasPrefix("# ``") }
    #expect(articles.count >= 20)
    for (name, text) in articles {
      let abstract = try #require(text.components(separatedBy: "\n").dropFirst(2).first)
      #expect(abstract.hasPrefix("You need this when "), "\(name)")
    }
  }

  @Test("has no phrase for which there is a common term, in sources, scripts, templates and tests neither")
  func phrasesInSources() throws {
    var count = 0
    func check(_ text: String, _ name: String) {
      count += 1
      let line = Self.normalized(text)
      for phrase in Self.phrases { #expect(!line.contains(phrase), "\(name): '\(phrase)'") }
    }
    for name in [
      "README.md", "CONTRIBUTING.md", "CHANGELOG.md", ".github/CODE_OF_CONDUCT.md", ".github/SECURITY.md",
      ".github/SUPPORT.md",
    ] { check(try Sample.text(name), name) }
    for folder in ["Sources", "Scripts", "Templates", "Tests"] {
      let files = FileManager.default.enumerator(
        at: Sample.root.appendingPathComponent(folder), includingPropertiesForKeys: [.isRegularFileKey])
      for case let url as URL in files ?? .init() {
        if url.lastPathComponent.hasPrefix(".build") { files?.skipDescendants() }
        // This file lists the phrases.
        guard url.lastPathComponent != "WordingTests.swift",
          ["swift", "md", "html", "c", ""].contains(url.pathExtension),
          let text = try? String(contentsOf: url, encoding: .utf8)
        else { continue }
        check(text, url.path)
      }
    }
    #expect(count > 600)
  }

  @Test("has links in README.md and CONTRIBUTING.md that lead to files")
  func links() throws {
    for name in ["README.md", "CONTRIBUTING.md"] {
      for match in try Sample.text(name).matches(of: /\]\(([^):#]+)\)/) {
        let file = Sample.root.appendingPathComponent(String(match.1))
        #expect(FileManager.default.fileExists(atPath: file.path), "\(name): \(match.1)")
      }
    }
  }

  @Test("explains the message of each misuse in ErrorMessages")
  func misuse() throws {
    let article = try Sample.text("Sources/RIBs/RIBs.docc/ErrorMessages.md")
    let kinds = try Sample.text("Sources/RIBs/Tree/Misuse.swift").matches(of: /static let (\w+) = Kind\(/)
      .map { String($0.1) }
    #expect(kinds.count >= 20)
    let source = try ["RIBs", "RIBsLists"].flatMap { Sample.files(in: "Sources/\($0)", "swift") }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for kind in kinds {
      let row = try #require(article.split(separator: "\n").first { $0.hasPrefix("| `\(kind)` | `") }, "\(kind)")
      let message = try #require(row.split(separator: "`").dropFirst(3).first)
      #expect(source.contains(message), "\(kind): '\(message)'")
    }
  }

  private static let phrases = [
    " whoever ", " nobody ", " somebody ", " is told ", " was told ", " are told ", " not told ", " lets go of ",
    " let go of ", " has its turn ", " leave out ;", " tells the rest ", " heed ", " heeds ", " foretell ",
    " foretells ", " mend ", " mends ", " gives up its ", " robbed ", " takes for granted ",
  ]

  /// The words in lower case, with one space on both sides of each word and each sign. Slashes of comments are spaces.
  private static func normalized(_ text: String) -> String {
    let space = UInt8(ascii: " ")
    var bytes = [space]
    bytes.reserveCapacity(text.utf8.count * 2)
    for byte in text.lowercased().utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "'"), 128...:
        bytes.append(byte)
      default:
        if bytes.last != space { bytes.append(space) }
        if byte > space, byte != UInt8(ascii: "/") { bytes += [byte, space] }
      }
    }
    return String(decoding: bytes + [space], as: UTF8.self)
  }
}
