// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import SourceTree

@Suite("Code that is nested too deep to be parsed")
struct NestingTests {
  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// Code with so many levels, by its kind.
  private static let kinds: [(name: String, code: @Sendable (Int) -> String)] = [
    ("branches", { "func f() {\n  if n == 0 {}\n\(repeated("  else if n == 1 {}\n", $0))}\n" }),
    (
      "branches with comments",
      { "func f() {\n  if n == 0 {}\n\(repeated("  // Or else.\n  else if n == 1 {\n    go()\n  }\n", $0))}\n" }
    ),
    ("arrays", { "let a = \(repeated("[", $0))1\(repeated("]", $0))\n" }),
    ("arrays of tuples", { "let a = \(repeated("[(", $0))1\(repeated(")]", $0))\n" }),
    ("dictionaries", { "let a = \(repeated("[1: ", $0))1\(repeated("]", $0))\n" }),
    ("calls", { "let a = \(repeated("f(", $0))1\(repeated(")", $0))\n" }),
    ("closures", { "let a = \(repeated("{ ", $0))1\(repeated(" }", $0))\n" }),
    ("statements", { "func f() {\n\(repeated("if x {\n", $0))\(repeated("}\n", $0))}\n" }),
    ("conditional blocks", { repeated("#if DEBUG\n", $0) + repeated("#endif\n", $0) }),
    ("members", { "let a = b\(repeated(".c", $0))\n" }),
    ("calls of members", { "let a = b\(repeated("\n  .map { $0 }", $0))\n" }),
    ("generic types", { "typealias A = \(repeated("B<", $0))Int\(repeated(">", $0))\n" }),
    ("optionals", { "var a: Int\(repeated("?", $0))\n" }),
    ("function types", { "typealias A = \(repeated("() -> ", $0))Void\n" }),
    ("interpolations", { "let a = \(repeated("\"\\(", $0))1\(repeated(")\"", $0))\n" }),
  ]

  @Test("is found by its kind and line", arguments: kinds.map(\.name))
  func deep(name: String) throws {
    let code = try #require(Self.kinds.first { $0.name == name }).code
    for count in [1_000, 5_000, 100_000] {
      let reason = FileFinder.reasonNotToParse(Data("// A comment.\n\(code(count))".utf8))
      #expect(reason?.firstMatch(of: #/^it can't be parsed: .* \(line \d+\)$/#) != nil, "\(reason ?? "nil")")
    }
  }

  @Test("is not what people write")
  func shallow() throws {
    for (name, code) in Self.kinds {
      let count = name == "arrays" ? 12 : name == "arrays of tuples" ? 6 : 100
      #expect(FileFinder.reasonNotToParse(Data(Self.repeated(code(count), 50).utf8)) == nil, "\(name)")
    }
    for code in [
      "let a = \"(((\" + #\"\"(((\"# + \"\"\"\n\"(((\n\"\"\"\n", "// [[[[\n/* ((( /* */ */\n",
      "let a = \"\\(b(\"\\(c)\")) [\"\n", "let a = b ? c : d\nif a < b { return }\n", "let a = \"[\\\"[\"\n",
      "guard let a else { return }\n", "#if A\n#else\n#endif\n", "let a = \"open [\n",
    ] {
      #expect(FileFinder.reasonNotToParse(Data(Self.repeated(code, 1_000).utf8)) == nil, "\(code)")
    }
  }

  @Test("does not keep the sources of this package from being read")
  func own() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardizedFileURL
    let files = FileFinder.swiftFiles(below: root)
    #expect(files.count > 1_000)
    for path in files {
      let data = try Data(contentsOf: root.appending(path: path))
      #expect(FileFinder.reasonNotToParse(data) == nil, "\(path)")
    }
  }
}
