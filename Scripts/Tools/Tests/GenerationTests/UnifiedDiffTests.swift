// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Generation

@Suite("A unified diff")
struct UnifiedDiffTests {
  @Test("shows changes with three lines around them")
  func change() {
    let old = (1...12).map { "\($0)\n" }.joined()
    let new = old.replacing("6\n", with: "six\nsix again\n")
    #expect(
      UnifiedDiff.text(path: "a b.swift", before: old, after: new) == """
        --- a/a b.swift
        +++ b/a b.swift
        @@ -3,7 +3,8 @@
         3
         4
         5
        -6
        +six
        +six again
         7
         8
         9

        """)
  }

  @Test("shows changes far from each other apart, and near ones together")
  func hunks() {
    let old = (1...30).map { "\($0)\n" }.joined()
    let new = old.replacing("\n4\n", with: "\n").replacing("\n8\n", with: "\n").replacing("\n25\n", with: "\n")
    let heads = UnifiedDiff.text(path: "f", before: old, after: new).split(separator: "\n").filter {
      $0.hasPrefix("@@")
    }
    #expect(heads == ["@@ -1,11 +1,9 @@", "@@ -22,7 +20,6 @@"])
  }

  @Test("tells new files, deleted files and files without a last newline")
  func ends() {
    #expect(
      UnifiedDiff.text(path: "f", before: nil, after: "a") == """
        --- /dev/null
        +++ b/f
        @@ -0,0 +1 @@
        +a
        \\ No newline at end of file

        """)
    #expect(
      UnifiedDiff.text(path: "f", before: "a\n", after: nil) == """
        --- a/f
        +++ /dev/null
        @@ -1 +0,0 @@
        -a

        """)
    #expect(UnifiedDiff.text(path: "f", before: "a\r\n", after: "a\r\n").isEmpty)
  }

  @Test("names long lines, whatever the line endings are", arguments: ["\n", "\r\n"])
  func longLines(ending: String) {
    let short = Array(repeating: "let number = 1", count: 20).joined(separator: ending)
    let long = "// " + String(repeating: "x", count: 200)
    func plan(_ text: String) -> Plan {
      Plan(
        root: URL(filePath: "/"),
        changes: [FileChange(path: "A.swift", before: Data(short.utf8), after: Data(text.utf8))])
    }
    let style = LayoutStyle(near: URL(filePath: "/nowhere"))
    #expect(plan(short + ending + "let more = 2" + ending).longLines(style).isEmpty)
    #expect(plan(short + ending + long + ending).longLines(style).map { $0.contains("line 21 of A.swift") } == [true])
  }
}
