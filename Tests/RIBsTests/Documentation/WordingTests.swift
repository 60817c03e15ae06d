import Foundation
import Testing

@Suite("The wording of articles and documents")
struct WordingTests {
  @Test("begins each article with what its reader can do after it")
  func beginnings() throws {
    let articles = Self.catalogs.filter { !$0.text.hasPrefix("# ``") }
    #expect(articles.count >= 20)
    for (name, text) in articles {
      let abstract = try #require(text.components(separatedBy: "\n").dropFirst(2).first)
      #expect(abstract.hasPrefix("After this article you can "), "\(name)")
    }
  }

  @Test("has no phrase for which there is a common term")
  func phrases() {
    let documents = Self.catalogs + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(Self.document)
    #expect(documents.allSatisfy { !$0.text.isEmpty })
    for (name, text) in documents {
      let words = text.components(separatedBy: .whitespacesAndNewlines).filter { !$0.isEmpty }
      let line = Self.normalized(words)
      for phrase in Self.phrases { #expect(!line.contains(phrase), "\(name): '\(phrase)'") }
    }
  }

  @Test("has no such phrase in a source, a script, a template or a test either")
  func phrasesInSources() throws {
    var count = 0
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
        count += 1
        let words = text.components(separatedBy: .whitespacesAndNewlines).filter {
          !$0.isEmpty && $0 != "///" && $0 != "//"
        }
        let line = Self.normalized(words)
        for phrase in Self.phrases { #expect(!line.contains(phrase), "\(url.path): '\(phrase)'") }
      }
    }
    #expect(count > 600)
  }

  private static let phrases = [
    " whoever ", " nobody ", " somebody ", " is told ", " was told ", " are told ", " not told ", " lets go of ",
    " let go of ", " has its turn ", " leave out ;", " tells the rest ", " heed ", " heeds ", " foretell ",
    " foretells ", " mend ", " mends ", " gives up its ", " robbed ", " takes for granted ",
  ]

  /// The words in lower case, with one space on both sides of each word and each sign.
  private static func normalized(_ words: [String]) -> String {
    let signs = words.joined(separator: " ").lowercased()
      .map { $0.isLetter || $0.isNumber || $0 == " " || $0 == "'" ? "\($0)" : " \($0) " }
    return " " + signs.joined().split(separator: " ").joined(separator: " ") + " "
  }

  private static var catalogs: [(name: String, text: String)] {
    let sources = Sample.root.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? [])
      .filter { $0.pathExtension == "md" && $0.path.contains(".docc/") }
      .map { document(String($0.path.dropFirst(Sample.root.path.count + 1))) }
  }

  private static func document(_ path: String) -> (name: String, text: String) {
    let text = try? String(contentsOf: Sample.root.appendingPathComponent(path), encoding: .utf8)
    return (path, text ?? "")
  }
}
