// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
@testable import RIBsInspector
import Testing

@Suite("A tree as JSON")
struct TreeJSONTests {
  @Test("has these fields, in this order")
  func fields() throws {
    let tree = try TreeSnapshot([
      SampleNode("Root", id: 1).with { $0.age = .nanoseconds(12_000_000_034) },
      SampleNode(name: "Ride", parent: 0, id: 2, tasks: ["A.swift:3"], workers: ["Locator"], summary: "x"),
    ])
    #expect(
      tree.json() == """
        {
          "nodes" : [
            {
              "ageNanoseconds" : 12000000034,
              "hasView" : false,
              "id" : 1,
              "interactor" : "I",
              "name" : "Root",
              "router" : "R",
              "state" : "active",
              "subscriptions" : 0
            },
            {
              "hasView" : false,
              "id" : 2,
              "interactor" : "I",
              "name" : "Ride",
              "parent" : 0,
              "router" : "R",
              "state" : "active",
              "subscriptions" : 0,
              "summary" : "x",
              "tasks" : [
                "A.swift:3"
              ],
              "workers" : [
                "Locator"
              ]
            }
          ],
          "version" : 1
        }

        """)
  }

  @Test("round-trips, whatever the names, and is on one line byte for byte the output of a JSON encoder")
  func roundTrip() throws {
    let restarted =
      #"{"version":1,"name":"a\"b","labels":{"plan":"free","zone":"ü"},"nodes":[{"name":"R","router":"R","#
      + #""interactor":"I","state":"active","hasView":true,"subscriptions":2,"restarts":{"made":1,"limit":3}}]}"#
    let labeled = ["a\"b", nil, "…"].map { label in SampleNode("Room", below: 0).with { $0.label = label } }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for tree in [
      try TreeSnapshot.sample(), try .hostile(), try TreeSnapshot([]), try .wide(3_000),
      try TreeSnapshot(json: restarted), try TreeSnapshot([SampleNode("Chat")] + labeled),
    ] {
      #expect(try TreeSnapshot(json: tree.json()) == tree)
      #expect(try JSONDecoder().decode(TreeSnapshot.self, from: JSONEncoder().encode(tree)) == tree)
      #expect(
        String(decoding: tree.encoded(), as: UTF8.self) == String(decoding: try encoder.encode(tree), as: UTF8.self))
    }
  }

  @Test("omits levels below the depth")
  func depth() throws {
    let tree = try TreeSnapshot(json: TreeSnapshot.sample().json(depth: 1))
    #expect((tree.nodes.map(\.name), tree.nodes.map(\.parent)) == (["Root", "LoggedIn", "Promo"], [nil, 0, 0]))
  }

  @Test("is refused, with the reason, if it is of a later version")
  func laterVersion() throws {
    let error = #expect(throws: DecodingError.self) { try TreeSnapshot(json: #"{"version":2,"nodes":[]}"#) }
    #expect("\(try #require(error))".contains("has version 2, and version 1 is known here"))
  }

  @Test("is decoded despite unknown fields")
  func moreFields() throws {
    let json = try TreeSnapshot.sample().json().replacingOccurrences(of: "\"hasView\"", with: "\"new\": 1, \"hasView\"")
    #expect(try TreeSnapshot(json: json) == .sample())
  }

  @Test(
    "is refused if it is not a tree in pre-order",
    arguments: [[0], [nil, nil], [nil, 1], [nil, 2, 0], [nil, 0, 0, 1], [nil, -1], [-1]] as [[Int?]])
  func noTree(parents: [Int?]) throws {
    let error = #expect(throws: DecodingError.self) { try TreeSnapshot(parents.map { SampleNode("N", below: $0) }) }
    #expect("\(try #require(error))".contains("not where it belongs"))
  }
}
