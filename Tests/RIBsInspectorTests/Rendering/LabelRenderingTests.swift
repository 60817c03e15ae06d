// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsTesting
import Testing

@testable import RIBsInspector

@Suite("The label of a RIB in the inspector")
struct LabelRenderingTests {
  private func chat(_ labels: [String?]) throws -> TreeSnapshot {
    try TreeSnapshot(
      [SampleNode("Chat", id: 1)]
        + labels.enumerated().map { index, label in
          SampleNode("Room", below: 0, id: UInt64(index + 2)).with { $0.label = label }
        })
  }

  @Test("follows the name in each rendering")
  func renderings() throws {
    let snapshot = try chat(["swift", nil, "te\na"])
    #expect(
      snapshot.text() == """
        Chat           active
        ├─ Room swift  active
        ├─ Room        active
        └─ Room te\\na  active

        """)
    #expect(
      snapshot.markdown() == """
        - **Chat** active
          - **Room swift** active
          - **Room** active
          - **Room te\\\\na** active

        """)
    #expect(snapshot.mermaid().contains(#"n1["Room swift<br/>active"]"#))
    #expect(snapshot.dot().contains(#"label="Room swift\nactive""#))
    #expect(snapshot.json().components(separatedBy: "\"label\" : ").count == 3)
    #expect(snapshot.rendered(as: .html).contains(#""label":"swift","name":"Room""#))
  }

  @Test("selects a RIB among others of its name")
  func subtree() throws {
    let snapshot = try chat(["swift", "tea"])
    #expect(snapshot.subtree("Room tea")?.nodes.map(\.id?.rawValue) == [3])
    #expect(snapshot.subtree("Chat/Room tea")?.nodes.map(\.id?.rawValue) == [3])
    #expect(snapshot.subtree("Room")?.nodes.map(\.id?.rawValue) == [2])
    #expect(snapshot.subtree("Room coffee") == nil)
  }

  @Test("is part of the paths of a difference, and tells which of two RIBs has moved")
  func difference() throws {
    func tree(_ nodes: [(String, Int?, UInt64, String?)]) throws -> TreeSnapshot {
      try TreeSnapshot(
        nodes.map { name, parent, id, label in SampleNode(name, below: parent, id: id).with { $0.label = label } })
    }
    let before = try tree([
      ("Root", nil, 1, nil), ("Left", 0, 2, nil), ("Room", 1, 3, "swift"), ("Room", 1, 4, "tea"), ("Right", 0, 5, nil),
    ])
    let after = try tree([
      ("Root", nil, 1, nil), ("Left", 0, 2, nil), ("Right", 0, 5, nil), ("Room", 2, 6, "tea"), ("Room", 2, 7, "swift"),
    ])
    let difference = TreeDifference(from: before, to: after)
    #expect(difference.moved.map(\.path) == ["Root/Right/Room tea", "Root/Right/Room swift"])
    #expect(difference.moved.map(\.from) == ["Root/Left/Room tea", "Root/Left/Room swift"])
    #expect(difference.attached.isEmpty && difference.detached.isEmpty)
  }

  @Test("is in received events, and nil in those of earlier versions")
  func events() throws {
    let json = #"{"kind":"attached","number":1,"path":["Chat","Room"],"timeNanoseconds":0,"tree":1}"#
    let former = try JSONDecoder().decode(InspectedEvent.self, from: Data(json.utf8))
    #expect((former.ribLabels, former.description) == ([nil, nil], "0.000 Chat/Room attached"))
    let labeled = json.replacingOccurrences(of: #""number""#, with: #""labels":["","swift"],"number""#)
    let event = try JSONDecoder().decode(InspectedEvent.self, from: Data(labeled.utf8))
    #expect((event.ribLabels, event.path) == ([nil, "swift"], ["Chat", "Room"]))
    #expect(event.description == "0.000 Chat/Room swift attached")
  }
}
