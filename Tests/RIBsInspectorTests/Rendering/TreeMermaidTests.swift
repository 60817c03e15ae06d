// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import TestSupport
import Testing

@Suite("A tree as a flowchart for Mermaid", .onOwnThread)
struct TreeMermaidTests {
  /// The file `mermaid.min.js` of Mermaid for browsers, if it is installed.
  private static let mermaid = ProcessInfo.processInfo.environment["RIBS_TEST_MERMAID"]

  @Test("has a box for each RIB and an arrow to each child")
  func chart() throws {
    #expect(
      try TreeSnapshot.sample().mermaid() == """
        flowchart TD
          n0["Root<br/>active 4m 12s"]:::active
          n1["LoggedIn<br/>active 350ms<br/>2 tasks<br/>1 worker<br/>1 subscription<br/>three left"]:::active
          n2["Order<br/>inactive"]:::inactive
          n3["Promo<br/>resigning 3s"]:::resigning
          n0 --> n1
          n1 --> n2
          n0 --> n3
          classDef active fill:#e3f4e8,stroke:#2f8f4e,color:#10301b
          classDef inactive fill:#f0f0f0,stroke:#8a8a8a,color:#4a4a4a,stroke-dasharray:4
          classDef resigning fill:#fdf0dc,stroke:#c07a1a,color:#4a2f08

        """)
    #expect(
      try TreeSnapshot.sample().mermaid(depth: 0).contains("n0[\"Root<br/>active 4m 12s<br/>3 more below\"]:::active"))
  }

  @Test("writes characters of Mermaid's syntax as character codes")
  func escapes() throws {
    #expect(
      try TreeSnapshot([SampleNode("a\"]:\n")]).mermaid().contains(
        "n0[\"a#34;#93;#58;#92;#8288;n<br/>active\"]:::active"))
  }

  @Test(
    "is drawn by Mermaid, which shows every name as it is", .needsBrowser,
    .enabled(if: mermaid != nil, "RIBS_TEST_MERMAID does not name the file mermaid.min.js"))
  func drawn() throws {
    let library = try String(contentsOfFile: try #require(Self.mermaid), encoding: .utf8)
    for tree in [try TreeSnapshot.sample(), try .hostile(), try TreeSnapshot([])] {
      let chart = String(decoding: try JSONEncoder().encode(tree.mermaid()), as: UTF8.self)
      let seen: [String: String] = try Browser.open(
        "<html><head></head><body></body></html>",
        head: "<meta charset=\"utf-8\"><script>\(library)</script>",
        use: """
          mermaid.initialize({ startOnLoad: false });
          const chart = \(chart.replacingOccurrences(of: "<", with: "\\u003c"));
          await mermaid.parse(chart);
          const box = document.createElement("div");
          const drawn = await mermaid.render("chart", chart);
          box.innerHTML = drawn.svg ?? drawn;  // Before Mermaid 10, the picture itself.
          document.body.append(box);
          const seen = {};
          for (const node of box.querySelectorAll(".node")) seen[node.id.replace(/^.*flowchart-(n\\d+)-.*$/, "$1")] =
            node.querySelector(".nodeLabel").innerHTML.split(/<br\\/?>/)[0].replace(/<\\/?p>/g, "");
          return seen;
          """)
      #expect(seen.count == tree.nodes.count)
      for (index, node) in tree.nodes.enumerated() where node.name.unicodeScalars.allSatisfy(\.isShown) {
        let shown = try #require(seen["n\(index)"]).withoutEntities
        #expect(
          shown.unicodeScalars.filter { $0 != "\u{2060}" }.map(Character.init)
            == node.name.unicodeScalars.map(Character.init))
      }
    }
  }
}
