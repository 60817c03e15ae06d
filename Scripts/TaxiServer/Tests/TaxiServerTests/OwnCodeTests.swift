// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The code of the server")
struct OwnCodeTests {
  @Test("beside its RIBs, its routes and the adapters is at most 104 lines")
  func lines() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
      .standardizedFileURL
    var counts: [String: Int] = [:]
    for folder in ["TaxiServer", "TaxiServerProgram"] {
      let files = try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: folder).path)
      for file in files where file.hasSuffix(".swift") && !file.hasPrefix("RIBs/") && !file.hasPrefix("Routes/") {
        counts[file] = OwnCodeTests.code(
          in: try String(contentsOf: sources.appending(path: "\(folder)/\(file)"), encoding: .utf8))
      }
    }
    #expect(counts["TaxiServer.swift"] ?? 0 > 20)
    #expect(counts["Program.swift"] ?? 0 > 20)
    #expect(counts.values.reduce(0, +) <= 104, "\(counts)")
  }

  @Test("has the adapter as a target with the products that the adapter lists for other packages")
  func products() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    func products(in text: Substring) -> Set<String> {
      Set(text.matches(of: /\.product\(name: "(\w+)", package: "([\w-]+)"\)/).map { "\($0.1) of \($0.2)" })
    }
    let manifest = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
    let target = try #require(manifest.firstMatch(of: /name: "HTTPTrees",[^\]]*\]/))
    let file = package.appending(path: "Sources/HTTPTrees/HTTPTrees.swift")
    let listed = products(in: try String(contentsOf: file, encoding: .utf8)[...])
    #expect(listed.count > 10)
    #expect(products(in: target.0) == listed)
  }

  /// The number of lines that are not empty, no comment, and not in a text of several lines, such as that of the help.
  static func code(in text: String) -> Int {
    var count = 0
    var isText = false
    for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if isText {
        isText = !line.hasPrefix("\"\"\"")
      } else if !line.isEmpty, !line.hasPrefix("//") {
        count += 1
        isText = line.hasSuffix("\"\"\"")
      }
    }
    return count
  }
}
