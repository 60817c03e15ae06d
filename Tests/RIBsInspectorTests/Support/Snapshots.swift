// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
@testable import RIBsInspector

/// A RIB of a snapshot in a test.
struct SampleNode {
  var name: String
  var parent: Int?
  var id: UInt64?
  var router = "R"
  var interactor = "I"
  var state = "active"
  var age: Duration?
  var hasView = false
  var tasks: [String] = []
  var workers: [String] = []
  var subscriptions = 0
  var label: String?
  var summary: String?

  func with(_ change: (inout SampleNode) -> Void) -> SampleNode {
    var copy = self
    change(&copy)
    return copy
  }

  fileprivate var fields: [String: Any] {
    var fields: [String: Any] = [
      "name": name, "router": router, "interactor": interactor, "state": state, "hasView": hasView, "tasks": tasks,
      "workers": workers, "subscriptions": subscriptions,
    ]
    fields["parent"] = parent
    fields["id"] = id
    fields["label"] = label
    fields["summary"] = summary
    fields["ageNanoseconds"] = age.map {
      $0.components.seconds * 1_000_000_000 + $0.components.attoseconds / 1_000_000_000
    }
    return fields
  }
}

extension SampleNode {
  init(_ name: String, below parent: Int? = nil, id: UInt64? = nil) {
    self.init(name: name, parent: parent, id: id)
  }
}

extension InspectedEvent {
  /// An event of tree 1.
  init(
    _ number: Int, _ kind: String, _ changes: [InspectedEdit]?, node: NodeID? = nil, parent: NodeID? = nil,
    path: [String] = [], time: Int64 = 0, tree: Int = 1, message: String? = nil
  ) {
    self.init(
      tree: tree, number: number, kind: kind, node: node, parent: parent, path: path, timeNanoseconds: time,
      durationNanoseconds: nil, work: nil, workflow: nil, worker: nil, message: message, changes: changes)
  }
}

extension RIBNames {
  /// The names of a RIB without a view.
  init(_ name: String) {
    self.init(name: name, router: name + "Router", interactor: name + "Interactor", hasView: false)
  }
}

extension TreeSnapshot {
  /// A snapshot of such RIBs, created from JSON as any client could.
  init(_ nodes: [SampleNode]) throws {
    let json = try JSONSerialization.data(withJSONObject: ["version": 1, "nodes": nodes.map(\.fields)])
    try self.init(json: String(decoding: json, as: UTF8.self))
  }

  /// A small tree that uses every field.
  static func sample() throws -> TreeSnapshot {
    try TreeSnapshot([
      SampleNode(name: "Root", id: 1, age: .seconds(252)),
      SampleNode(
        name: "LoggedIn", parent: 0, id: 2, age: .milliseconds(350), hasView: true,
        tasks: ["A.swift:3", "reload (B.swift:4)"], workers: ["Locator"], subscriptions: 1, summary: "three left"),
      SampleNode(name: "Order", parent: 1, state: "inactive"),
      SampleNode(name: "Promo", parent: 0, id: 4, state: "resigning", age: .seconds(3)),
    ])
  }

  /// Names with characters that are special in some format.
  static let hostileNames = [
    "\"", "'", "\\", "\\\"", "\\n", "<b>bold</b>", "</script><script>alert(1)</script>", "<!--", "-->", "&amp;",
    "&#65;",
    "#quot;", "#", "a\nb", "a\r\nb", "\t", "\u{0}", "\u{1B}[31mred", "\u{7F}", "\u{202E}desrever", "\u{2028}", "`code`",
    "``", "*bold*", "__init__", "[link](http://example.com)", "![image](x)", "{curly}", "|", "a|b|c", "$math$",
    "end", "subgraph x", "graph", "%% comment", ";", "-->|x|", "]]", "\"]:::x", ":::", "@{shape: x}", "~~~", "1. one",
    "- item", "> quote", "   ", "", "é", "日本語", "👩‍👩‍👧", "\\N\\G\\l", "${x}", "http://example.com", "@mention",
    "::icon(fa)",
    "</style>", "]]>", "\u{FEFF}", "e\u{301}", "javascript:alert(1)", "=", "^", "a_b_c", "\\u003c",
  ]

  /// A tree with each of these as a name, a summary and the name of a task.
  static func hostile() throws -> TreeSnapshot {
    try TreeSnapshot(
      [SampleNode("Root", id: 1)]
        + hostileNames.map { SampleNode(name: $0, parent: 0, tasks: [$0], workers: [$0], summary: $0) })
  }

  /// A tree of many RIBs, each with up to ten children.
  static func wide(_ count: Int) throws -> TreeSnapshot {
    var nodes: [SampleNode] = []
    func add(_ index: Int, below parent: Int?) {
      guard index < count else { return }
      let position = nodes.count
      nodes.append(SampleNode("Rib\(index)", below: parent, id: UInt64(index + 1)))
      for child in 1...10 { add(10 * index + child, below: position) }
    }
    add(0, below: nil)
    return try TreeSnapshot(nodes)
  }
}
