// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("The command 'ribs saved'")
struct SavedTests {
  private let folder = TemporaryFolder()

  private static let document = """
    {"format":1,"ribs":[
    {"rib":"Root","v":2,"state":{"title":"a/b"},"children":{"entrance":["order"]}},
    {"in":0,"at":"entrance","rib":"Order","children":{"screens":[1,{"x":2}]}},
    {"in":1,"at":"screens","index":1,"rib":"Ride","v":1,"state":[1,2]},
    {"in":1,"rib":"Meter"},
    {"in":0,"rib":"Map","v":1,"state":null}
    ]}
    """

  /// Runs the command on a file in the folder.
  private func saved(_ file: String, _ options: String...) throws -> Program.Outcome {
    try Program("ribs-live", ["saved", folder.url.appending(path: file).path] + options).outcome()
  }

  @Test("prints a saved tree")
  func text() throws {
    try folder.write(SavedTests.document, to: "a.json")
    let text = try saved("a.json")
    #expect(text.status == 0 && text.errors.isEmpty, "\(text)")
    #expect(
      text.output.joined(separator: "\n") == """
        Root                       v2 {"title":"a/b"}
        ├─ Order     at entrance
        │  ├─ Ride   at screens 1  [1,2]
        │  └─ Meter
        └─ Map                     null
        """)
    let ascii = try saved("a.json", "--ascii")
    #expect(ascii.output.suffix(2).map { $0.prefix(10) } == ["|  `- Mete", "`- Map    "])
  }

  @Test("prints the tree in a file of a store, after the line about the record")
  func storedFile() throws {
    let header = #"{"bytes":1,"fence":1,"id":"17","kind":"order","schema":1,"store":1,"version":4}"#
    try folder.write(header + "\n" + SavedTests.document, to: "17.json")
    try folder.write(SavedTests.document, to: "a.json")
    let stored = try saved("17.json")
    #expect(stored.status == 0)
    #expect(stored.output == (try saved("a.json").output))
    let sleeping = header.dropLast() + #","wakes":1767290400000001}"# + "\n"
    try folder.write(sleeping + SavedTests.document, to: "18.json")
    #expect(try saved("18.json").output == ["wakes 2026-01-01T18:00:00.000001Z"] + stored.output)
    let json = try saved("18.json", "--format", "json").output
    #expect(json.first?.hasSuffix(#","version":2,"wakes":"2026-01-01T18:00:00.000001Z"}"#) == true, "\(json)")
    #expect(json.count == 5 && !json.dropFirst().contains { $0.contains("wakes") })
  }

  @Test("prints each RIB as JSON")
  func json() throws {
    try folder.write(SavedTests.document, to: "a.json")
    let json = try saved("a.json", "--format", "json")
    let lines = json.output
    #expect(lines.count == 5)
    #expect(
      lines[0] == #"{"path":"Root","rib":"Root","routes":{"entrance":["order"]},"state":{"title":"a/b"},"version":2}"#)
    #expect(lines[2] == #"{"at":"screens","index":1,"path":"Root/Order/Ride","rib":"Ride","state":[1,2],"version":1}"#)
  }

  @Test("prints a deep tree")
  func deep() throws {
    let ribs = (1..<2000).map { #"{"in":\#($0 - 1),"rib":"A"}"# }
    let document = #"{"format":1,"ribs":[{"rib":"A"},"# + ribs.joined(separator: ",") + "]}"
    try folder.write(document, to: "a.json")
    #expect(try saved("a.json").output.count == 2000)
  }

  @Test("refuses what is no saved tree")
  func refusals() throws {
    try folder.write("[]", to: "a.json")
    let malformed = try saved("a.json")
    #expect(
      malformed.status == 65
        && malformed.errors.first?.contains("/a.json' is not a saved tree: ") == true, "\(malformed)")
    let missing = try saved("b.json")
    #expect(missing.status == 66, "\(missing)")
    #expect(try saved("a.json", "--ascii", "--format", "json").status == 64)
  }
}
