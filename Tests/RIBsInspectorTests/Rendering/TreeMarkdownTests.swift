// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsInspector
import Testing

@Suite("A tree as Markdown")
struct TreeMarkdownTests {
  @Test("is a nested list")
  func list() throws {
    #expect(
      try TreeSnapshot.sample().markdown() == """
        - **Root** active 4m 12s
          - **LoggedIn** active 350ms, 2 tasks: `A.swift:3`, `reload (B.swift:4)`, 1 worker: `Locator`, 1 subscription, *three left*
            - **Order** inactive
          - **Promo** resigning 3s

        """)
    #expect(try TreeSnapshot.sample().markdown(depth: 0) == "- **Root** active 4m 12s, 3 more below\n")
    #expect(try TreeSnapshot([]).markdown() == "")
  }

  @Test(
    "shows punctuation as it is",
    arguments: [
      ("a*b", "a\\*b"), ("_x_", "\\_x\\_"), ("<b>", "\\<b\\>"), ("[x](y)", "\\[x\\](y)"), ("a\\", "a\\\\"),
      ("&amp;", "\\&amp;"), ("`", "\\`"), ("a\nb", "a\\\\nb"), ("", "&#8203;&#8203;"), ("~~x~~", "\\~\\~x\\~\\~"),
    ])
  func punctuation(name: String, text: String) throws {
    #expect(try TreeSnapshot([SampleNode(name)]).markdown() == "- **\(text)** active\n")
  }

  @Test(
    "fences code with more backticks than are in it",
    arguments: [("a", "`a`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("", "`  `"), ("<b>*", "`<b>*`")])
  func code(name: String, text: String) throws {
    let tree = try TreeSnapshot([SampleNode("Root").with { $0.tasks = [name] }])
    #expect(tree.markdown() == "- **Root** active, 1 task: \(text)\n")
  }

  @Test("has one line for each RIB, whatever the names")
  func hostile() throws {
    let tree = try TreeSnapshot.hostile()
    let lines = tree.markdown().unicodeScalars.split(separator: "\n")
    #expect(lines.count == tree.nodes.count)
    #expect(lines.dropFirst().allSatisfy { $0.starts(with: "  - **".unicodeScalars) })
  }

  @Test("has a size linear in the number of RIBs, whatever their depth")
  func deep() throws {
    let tree = try TreeSnapshot((0..<10_000).map { SampleNode("N", below: $0 == 0 ? nil : $0 - 1) })
    #expect(tree.markdown().utf8.count < 2_000_000)
    #expect(tree.markdown().hasSuffix("- (level 9999) **N** active\n"))
  }
}
