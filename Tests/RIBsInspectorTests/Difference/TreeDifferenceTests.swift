// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import TestSupport
import Testing

@Suite("The difference of two snapshots")
struct TreeDifferenceTests {
  /// Root with LoggedOut, which has a Map. They have other ids after re-attachment.
  private func before() throws -> TreeSnapshot {
    try TreeSnapshot([
      SampleNode("Root", id: 1).with { $0.summary = "signed out" }, SampleNode("LoggedOut", below: 0, id: 2),
      SampleNode("Map", below: 1, id: 3), SampleNode("Pin", below: 2, id: 4), SampleNode("Banner", below: 0, id: 5),
    ])
  }

  @Test("is empty for a tree that only got older")
  func none() throws {
    let later = try TreeSnapshot(
      json: before().json().replacingOccurrences(of: "\"hasView\"", with: "\"ageNanoseconds\":9,\"hasView\""))
    let difference = TreeDifference(from: try before(), to: later)
    #expect(difference.isEmpty)
    #expect(difference.text() == "")
    #expect(TreeDifference(from: try TreeSnapshot([]), to: try TreeSnapshot([])).isEmpty)
  }

  @Test("lists RIBs that were attached, detached, moved or changed")
  func everything() throws {
    let after = try TreeSnapshot([
      SampleNode(
        name: "Root", id: 1, state: "resigning", tasks: ["A.swift:3"], workers: ["Locator"], subscriptions: 2,
        summary: "signed in"),
      SampleNode("Banner", below: 0, id: 5), SampleNode("LoggedIn", below: 0, id: 6),
      SampleNode("Order", below: 2, id: 7),
      SampleNode("Map", below: 0, id: 8), SampleNode("Pin", below: 4, id: 9).with { $0.tasks = ["B.swift:1"] },
      SampleNode("Pin", below: 4, id: 10),
    ])
    let difference = TreeDifference(from: try before(), to: after)
    #expect(
      difference.text() == """
        - Root/LoggedOut
        - Root/LoggedOut/Map
        - Root/LoggedOut/Map/Pin
        + Root/LoggedIn
        + Root/LoggedIn/Order
        + Root/Map
        + Root/Map/Pin
        + Root/Map/Pin
        ~ Root  state: active → resigning · tasks: +A.swift:3 · workers: +Locator · subscriptions: 0 → 2 · summary: signed out \
        → signed in

        """)
    let back = TreeDifference(from: after, to: try before())
    #expect(
      back.text(.ascii).contains("tasks: -A.swift:3; workers: -Locator; subscriptions: 2 -> 0; summary: signed in -> "))
  }

  @Test("recognizes a moved RIB with its descendants")
  func moved() throws {
    let after = try TreeSnapshot([
      SampleNode("Root", id: 1).with { $0.summary = "signed out" }, SampleNode("LoggedOut", below: 0, id: 2),
      SampleNode("Banner", below: 0, id: 5), SampleNode("Map", below: 2, id: 8),
      SampleNode("Pin", below: 3, id: 9).with { $0.tasks = ["B.swift:1"] }, SampleNode("Pin", below: 3, id: 10),
    ])
    let difference = TreeDifference(from: try before(), to: after)
    #expect(
      difference.text() == """
        > Root/Banner/Map  from Root/LoggedOut/Map
        + Root/Banner/Map/Pin
        ~ Root/Banner/Map/Pin  tasks: +B.swift:1

        """)
    #expect(difference.moved.map(\.id?.rawValue) == [8])
  }

  @Test("reports a new RIB of the same kind in the same place as new")
  func replaced() throws {
    let after = try TreeSnapshot([
      SampleNode("Root", id: 1).with { $0.summary = "signed out" }, SampleNode("Banner", below: 0, id: 5),
      SampleNode("LoggedOut", below: 0, id: 6), SampleNode("Map", below: 2, id: 7),
      SampleNode("Pin", below: 3, id: 8),
    ])
    let text = TreeDifference(from: try before(), to: after).text()
    #expect(text.components(separatedBy: "\n").filter { $0.hasPrefix("- ") }.count == 3)
    #expect(text.components(separatedBy: "\n").filter { $0.hasPrefix("+ ") }.count == 3)
    #expect(!text.contains(">"))
  }

  @Test("matches RIBs without an id by their place, even if they have one later")
  func withoutIDs() throws {
    let root = SampleNode("Root", id: 1)
    let old = try TreeSnapshot([
      root, SampleNode("A", below: 0).with { $0.state = "inactive" }, SampleNode("B", below: 1),
      SampleNode("B", below: 1).with { $0.summary = "2" },
    ])
    let new = try TreeSnapshot([
      root, SampleNode("A", below: 0, id: 2), SampleNode("B", below: 1), SampleNode("B", below: 1),
    ])
    #expect(
      TreeDifference(from: old, to: new).text() == """
        ~ Root/A  state: inactive → active
        ~ Root/A/B  summary: 2 → none

        """)
  }

  @Test("distinguishes trees that share only ids")
  func otherTree() throws {
    let (one, other) = (try TreeSnapshot([SampleNode("A", id: 1)]), try TreeSnapshot([SampleNode("B", id: 1)]))
    #expect(TreeDifference(from: one, to: other).text() == "- A\n+ B\n")
    #expect(TreeDifference(from: one, to: try TreeSnapshot([])).text() == "- A\n")
  }

  @Test("explains every RIB of either snapshot exactly once, in random trees", arguments: 0..<200 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix(seed)
    let (old, new) = (try random.tree(), try random.tree())
    let difference = TreeDifference(from: old, to: new)
    #expect(old.nodes.count - difference.detached.count == new.nodes.count - difference.attached.count)
    let unchanged = new.nodes.count - difference.attached.count - difference.moved.count - difference.changed.count
    #expect(unchanged >= 0)
    #expect(TreeDifference(from: old, to: old).isEmpty)
    #expect(difference.detached.compactMap(\.id).allSatisfy { id in old.nodes.contains { $0.id == id } })
    #expect(difference.attached.compactMap(\.id).allSatisfy { id in new.nodes.contains { $0.id == id } })
  }

  @Test("decodes from its own JSON, whatever the names")
  func json() throws {
    let difference = TreeDifference(from: try .hostile(), to: try .sample())
    #expect(try JSONDecoder().decode(TreeDifference.self, from: Data(difference.json().utf8)) == difference)
    #expect(difference.text().split(separator: "\n").allSatisfy { "+-~>".contains($0.first ?? "?") })
    let small = TreeDifference(
      from: try TreeSnapshot([SampleNode("A")]), to: try TreeSnapshot([SampleNode("A").with { $0.summary = "x" }]))
    #expect(
      small.json() == """
        {
          "attached" : [

          ],
          "changed" : [
            {
              "changes" : [
                {
                  "after" : [
                    "x"
                  ],
                  "aspect" : "summary",
                  "before" : [

                  ]
                }
              ],
              "path" : "A"
            }
          ],
          "detached" : [

          ],
          "moved" : [

          ]
        }

        """)
  }

  @Test("takes linear time, even if nothing matches")
  func many() throws {
    let count = Thoroughness.count(usual: 10_000, share: 20_000, whole: 20_000)
    let tree = try TreeSnapshot.wide(count)
    let chain = try TreeSnapshot((0..<count).map { SampleNode("N", below: $0 == 0 ? nil : $0 - 1) })
    let difference = TreeDifference(from: tree, to: chain)
    #expect((difference.attached.count, difference.detached.count) == (count, count))
    #expect(difference.attached.last?.path.hasPrefix("…/N/N/") == true)
  }
}

extension SplitMix {
  fileprivate mutating func tree() throws -> TreeSnapshot {
    var nodes = [SampleNode("Root", id: 1)]
    var line = [0]
    var ids = Set<UInt64>([1])
    for _ in 0..<below(12) {
      line.removeLast(below(line.count))
      let id = below(3) == 0 ? nil : UInt64(below(20) + 2)
      let isNew = id.map { ids.insert($0).inserted } ?? true
      nodes.append(SampleNode(["A", "B"][below(2)], below: line.last, id: isNew ? id : nil))
      line.append(nodes.count - 1)
    }
    return try TreeSnapshot(nodes)
  }
}
