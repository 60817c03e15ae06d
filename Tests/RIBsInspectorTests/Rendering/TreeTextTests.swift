// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsInspector
import Testing

@Suite("A tree as text")
struct TreeTextTests {
  /// A snapshot of RIBs by name, each with the index of its parent.
  private func snapshot(_ nodes: [(name: String, parent: Int?)]) throws -> TreeSnapshot {
    try TreeSnapshot(nodes.map { node in SampleNode(node.name, below: node.parent).with { $0.state = "inactive" } })
  }

  @Test("draws branches, with a different one for the last child, and trunks")
  func branches() throws {
    let tree = try snapshot([("Root", nil), ("A", 0), ("B", 1), ("C", 2), ("D", 1), ("E", 0), ("F", 5)])
    #expect(
      tree.text() == """
        Root        inactive
        ├─ A        inactive
        │  ├─ B     inactive
        │  │  └─ C  inactive
        │  └─ D     inactive
        └─ E        inactive
           └─ F     inactive

        """)
    #expect(
      tree.text(.ascii) == """
        Root        inactive
        |- A        inactive
        |  |- B     inactive
        |  |  `- C  inactive
        |  `- D     inactive
        `- E        inactive
           `- F     inactive

        """)
    #expect(try snapshot([]).text() == "")
  }

  @Test("shows state, age, work, workers, subscriptions and summary")
  func details() throws {
    let tree = try TreeSnapshot.sample()
    #expect(
      tree.text() == """
        Root         active 4m 12s
        ├─ LoggedIn  active 350ms   2 tasks (A.swift:3, reload (B.swift:4)) · 1 worker (Locator) · 1 subscription · three left
        │  └─ Order  inactive
        └─ Promo     resigning 3s

        """)
    #expect(tree.text(.ascii).contains("1 worker (Locator); 1 subscription; three left\n"))
  }

  @Test("omits levels below the depth, and shows how many RIBs they contain")
  func depth() throws {
    let tree = try snapshot([("Root", nil), ("A", 0), ("B", 1), ("C", 2), ("D", 1), ("E", 0), ("F", 5)])
    #expect(tree.text(depth: 0) == "Root  inactive  6 more below\n")
    #expect(
      tree.text(depth: 1) == """
        Root  inactive
        ├─ A  inactive  3 more below
        └─ E  inactive  1 more below

        """)
    #expect(tree.text(depth: 3) == tree.text())
    #expect(tree.text(depth: -1) == tree.text(depth: 0))
  }

  @Test(
    "shows an age in its two largest units",
    arguments: [
      (Duration.zero, "0s"), (.milliseconds(350), "350ms"), (.seconds(59), "59s"), (.seconds(60), "1m 0s"),
      (.seconds(3_900), "1h 5m"), (.seconds(176_400), "2d 1h"),
    ])
  func ages(age: Duration, text: String) throws {
    #expect(try TreeSnapshot([SampleNode("Root").with { $0.age = age }]).text() == "Root  active \(text)\n")
  }

  @Test("escapes terminal control sequences in names and summaries")
  func escapes() throws {
    let tree = try TreeSnapshot([
      SampleNode(name: "A\u{1B}[31m\n\u{202E}é", state: "inactive", summary: "x\u{7}\ty")
    ])
    #expect(tree.text() == "A\\u{1B}[31m\\n\\u{202E}é  inactive  x\\u{7}\\ty\n")
    #expect(tree.text(.ascii) == "A\\u{1B}[31m\\n\\u{202E}\\u{E9}  inactive  x\\u{7}\\ty\n")
  }

  @Test("has one line for each RIB, whatever the names")
  func hostile() throws {
    let tree = try TreeSnapshot.hostile()
    for style in [TreeTextStyle.unicode, .ascii] {
      let text = tree.text(style)
      #expect(text.unicodeScalars.filter { $0 == "\n" }.count == tree.nodes.count)
      #expect(
        !text.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || $0.value == 0x7F || $0.value == 0x202E })
    }
    #expect(tree.text(.ascii).utf8.allSatisfy { $0 < 0x7F })
  }

  @Test("draws any number of levels in text of linear size")
  func deep() throws {
    let count = Thoroughness.count(usual: 10_000, share: 100_000, whole: 100_000)
    let lines = try snapshot((0..<count).map { ("N", $0 == 0 ? nil : $0 - 1) }).text().split(separator: "\n")
    #expect(lines.count == count)
    #expect(lines.last?.hasSuffix("⋯ \(count - 1) N  inactive") == true)
  }
}
