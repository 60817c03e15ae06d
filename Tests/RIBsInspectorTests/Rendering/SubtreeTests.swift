// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsInspector
import Testing

@Suite("A part of a tree")
struct SubtreeTests {
  /// Root has A and E; A has B and D; B has C; E has another B.
  private func tree() throws -> TreeSnapshot {
    try TreeSnapshot([
      SampleNode("Root", id: 1), SampleNode("A", below: 0, id: 2), SampleNode("B", below: 1, id: 3),
      SampleNode("C", below: 2, id: 4), SampleNode("D", below: 1, id: 5), SampleNode("E", below: 0, id: 6),
      SampleNode("B", below: 5, id: 7),
    ])
  }

  @Test(
    "is found by a path suffix or by an id",
    arguments: [
      ("Root", ["Root", "A", "B", "C", "D", "E", "B"]), ("A", ["A", "B", "C", "D"]), ("Root/A", ["A", "B", "C", "D"]),
      ("B", ["B", "C"]), ("E/B", ["B"]), ("Root/E/B", ["B"]), ("#7", ["B"]), ("#5", ["D"]), ("A/B/C", ["C"]),
    ])
  func found(place: String, names: [String]) throws {
    let part = try #require(try tree().subtree(place))
    #expect(part.nodes.map(\.name) == names)
    #expect(try TreeSnapshot(json: part.json()) == part)
  }

  @Test("has parent indexes relative to its root")
  func parents() throws {
    #expect(try tree().subtree("A")?.nodes.map(\.parent) == [nil, 0, 1, 0])
    #expect(try tree().subtree("E")?.text().hasPrefix("E     active\n└─ B  active") == true)
  }

  @Test(
    "is nil if there is no such RIB", arguments: ["X", "Root/B", "", "/", "#8", "#", "Above/Root", "root"])
  func missing(place: String) throws {
    #expect(try tree().subtree(place) == nil)
    #expect(try TreeSnapshot([]).subtree(place) == nil)
  }
}
