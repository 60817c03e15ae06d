// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TaxiOrder
@testable import taxi

@Suite("The picture in the documentation", .folded)
struct PictureTests {
  /// The attributes of each RIB, except ages.
  @Test("shows the tree that taxi draws")
  func labels() async throws {
    let drawn = await RecordingTerminal.run("tree --format dot").out
    let labels = drawn.matches(of: #/label="([^"]*)"/#).map { $0.1.components(separatedBy: "\\n") }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/RIBsInspector/RIBsInspector.docc/Resources/order-tree.svg")
    // Graphviz encodes dashes, because they could end an XML comment.
    let picture = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: "&#45;", with: "-")
    let nodes = picture.components(separatedBy: "<g id=\"node").dropFirst()
    let shown = nodes.map { node in
      let end = node.range(of: "</g>")?.lowerBound ?? node.endIndex
      return node[..<end].matches(of: #/<text[^>]*>([^<]*)<\/text>/#).map { String($0.1) }
    }
    #expect((shown.count, shown.map(Self.ageless)) == (10, labels.map(Self.ageless)))
  }

  private static func ageless(_ lines: [String]) -> [String] {
    lines.map { $0.hasPrefix("active ") ? "active" : $0 }
  }
}
