// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `CHANGELOG.md` has the version, and `Scripts/address` the address; `Scripts/release` edits the other places.
@Suite("The version and the address of the repository")
struct VersionTests {
  @Test("are the same wherever a document, a template or an example has a package depend on this one")
  func dependencies() throws {
    let address = try Sample.text("Scripts/address").trimmingCharacters(in: .newlines)
    let version = try version()
    var files: Set<String> = []
    for path in Self.paths {
      guard let text = try? Sample.text(path), text.contains("url: \"") else { continue }
      for line in text.split(separator: "\n")
      where line.contains("url: \"") && line.contains(/url: "[^"]*:\/\/[^"]*swift-ribs[^"]*"/) {
        files.insert(path)
        #expect(line.contains("url: \"\(address)\""), "\(path): \(line)")
        #expect(line.contains("from: \"\(version)\""), "\(path): \(line)")
      }
    }
    #expect(files.isSuperset(of: ["README.md", "Sources/RIBs/RIBs.docc/GettingStarted.md"]))
  }

  @Test("are those of the programs")
  func programs() throws {
    let version = try version()
    #expect(try Sample.text("Scripts/Tools/Sources/ribs/Version.swift").contains("let toolVersion = \"\(version)\"\n"))
    #expect(try Sample.text("Sources/taxi/TaxiProgram.swift").contains("static let version = \"\(version)\"\n"))
  }

  /// The newest version in CHANGELOG.md.
  private func version() throws -> String {
    let sections = try Sample.text("CHANGELOG.md").matches(of: /\n## (\d+\.\d+\.\d+)(?: \(\d{4}-\d\d-\d\d\))?\n/)
    return try String(#require(sections.first).1)
  }

  /// The documents, sources and templates of the repository.
  private static var paths: [String] {
    let folders = ["Sources", "Scripts", "Templates", ".github"].flatMap { folder -> [String] in
      let files = FileManager.default.enumerator(atPath: Sample.root.appendingPathComponent(folder).path)
      var paths: [String] = []
      while let path = files?.nextObject() as? String {
        // Those of tests are of no repository.
        if path.hasSuffix(".build") || path.hasSuffix("Tests") { files?.skipDescendants() }
        if path.hasSuffix(".md") || path.hasSuffix(".swift") { paths.append("\(folder)/\(path)") }
      }
      return paths
    }
    return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + folders
  }
}
