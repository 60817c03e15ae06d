// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsInspector
import Testing

@Suite("The restarts of a RIB")
struct RestartRenderingTests {
  private func snapshot(made: Int) throws -> TreeSnapshot {
    try TreeSnapshot(
      json: #"{"version":1,"nodes":[{"name":"Feed","id":1,"router":"R","interactor":"I","state":"active","#
        + #""hasView":false,"subscriptions":0,"restarts":{"made":\#(made),"limit":3}}]}"#)
  }

  @Test(
    "are in each rendering",
    arguments: [
      (TreeFormat.text, "restarts 2 of 3"), (.markdown, "restarts 2 of 3"), (.mermaid, "restarts 2 of 3"),
      (.dot, "restarts 2 of 3"), (.json, #""limit" : 3"#), (.html, #""restarts":{"limit":3,"made":2}"#),
    ])
  func renderings(format: TreeFormat, text: String) throws {
    let rendered = try snapshot(made: 2).rendered(as: format)
    #expect(rendered.contains(text), "\(rendered)")
  }

  @Test("are in the difference of two snapshots")
  func difference() throws {
    let difference = TreeDifference(from: try snapshot(made: 1), to: try snapshot(made: 2))
    #expect(difference.text().contains("1 of 3") && difference.text().contains("2 of 3"), "\(difference.text())")
  }
}
