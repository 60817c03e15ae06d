// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import TestSupport
import Testing

@Suite("A tree as a graph for Graphviz", .onOwnThread)
struct TreeDotTests {
  @Test("has a box for each RIB and an arrow to each child")
  func graph() throws {
    let text = try TreeSnapshot.sample().dot()
    #expect(text.hasPrefix("digraph tree {\n"))
    #expect(text.hasSuffix("  n0 -> n1;\n  n1 -> n2;\n  n0 -> n3;\n}\n"))
    #expect(text.contains("  n0 [label=\"Root\\nactive 4m 12s\"];\n"))
    let details = "350ms\\n2 tasks\\n1 worker\\n1 subscription\\nthree left"
    #expect(text.contains("  n1 [label=\"LoggedIn\\nactive \(details)\"];\n"))
    #expect(text.contains("  n2 [label=\"Order\\ninactive\", style=\"rounded,dashed\""))
    #expect(
      try TreeSnapshot.sample().dot(depth: 1).contains("n1 [label=\"LoggedIn\\nactive \(details)\\n1 more below\"]"))
  }

  @Test("escapes the syntax of Graphviz labels")
  func escapes() throws {
    let text = try TreeSnapshot([SampleNode("a\"b\\N&lt;\n")]).dot()
    #expect(text.contains(#"[label="a\"b\\N&amp;lt;\\n\nactive"]"#))
  }

  @Test(
    "is accepted by Graphviz, which shows every name as it is",
    .enabled(if: Program("dot") != nil, "Graphviz is not installed: apt-get install graphviz"))
  func accepted() throws {
    let dot = try #require(Program("dot"))
    let folder = try TemporaryFolder()
    for tree in [try TreeSnapshot.sample(), try .hostile(), try TreeSnapshot([])] {
      let outcome = try dot.run(["-Tsvg"], input: tree.dot(), in: folder)
      #expect((outcome.status, outcome.errors) == (0, ""))
      let shown = labels(inSVG: outcome.output)
      #expect(shown.count == tree.nodes.count)
      // Graphviz omits invisible characters.
      for (index, node) in tree.nodes.enumerated() where node.name.unicodeScalars.allSatisfy(\.isShown) {
        #expect(shown["n\(index)"]?.first == (node.name.isEmpty ? "active" : node.name))
      }
    }
  }

  /// The lines of text in each box of a drawing, by the name of the box.
  private func labels(inSVG svg: String) -> [String: [String]] {
    var labels: [String: [String]] = [:]
    for group in svg.components(separatedBy: "class=\"node\">\n<title>").dropFirst() {
      let lines = group.components(separatedBy: "</g>")[0].components(separatedBy: "<text ").dropFirst()
      labels[group.components(separatedBy: "</title>")[0]] = lines.map { element in
        let text = element.components(separatedBy: "</text>")[0]
        return text[text.index(after: text.firstIndex(of: ">") ?? text.startIndex)...].description.withoutEntities
      }
    }
    return labels
  }
}
