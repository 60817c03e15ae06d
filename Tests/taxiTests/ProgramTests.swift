// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsInspector
import TestSupport
import Testing

@testable import TaxiOrder
@testable import taxi

@Suite("The taxi program", .folded)
struct ProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The path of a file with a text.
  private func file(_ text: String) throws -> String {
    try Data(text.utf8).write(to: folder.file("trips.csv"))
    return folder.file("trips.csv").path
  }

  @Test("has help with examples, and a version", arguments: TaxiCommand.Topic.allCases)
  func help(topic: TaxiCommand.Topic) async {
    let run = await RecordingTerminal.run(topic == .taxi ? "--help" : "\(topic.rawValue) --help")
    #expect((run.status, run.error) == (0, ""))
    #expect(run.out.contains("Usage: taxi"))
    #expect(run.out.contains("Examples:"))
    #expect(run.out.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(await RecordingTerminal.run("--version") == (0, "taxi \(TaxiProgram.version)\n", ""))
  }

  @Test("reports usage errors on standard error, with exit status 64 and the help command")
  func usage() async {
    let run = await RecordingTerminal.run("replay --sede 1")
    #expect(run == (64, "", "taxi: unknown option '--sede'; did you mean '--seed'?\nSee 'taxi replay --help'.\n"))
  }

  @Test(
    "reports the events of its trees to the fold of the tests, or records them",
    arguments: ["order --seed 3", "simulate --orders 3", "tree", "watch --orders 2 --taxis 2 --speed 1000000"])
  func recordings(line: String) async throws {
    let checker = FoldChecker()
    await TaxiProgram.$observer.withValue(checker) { #expect(await RecordingTerminal.run(line).status == 0) }
    #expect(checker.events > 0)
    #expect(checker.problem == nil)
    if line == "tree" { return }
    let path = "\(folder.path)/trees.ribs"
    #expect(await RecordingTerminal.run("\(line) --record \(path)").status == 0)
    let recording = try TreeRecording(contentsOf: path)
    #expect(recording.isComplete && recording.problems == [])
    #expect(recording.trees.allSatisfy { $0.events > 0 && $0.hasEnded })
    #expect(recording.trees.count == (line.hasPrefix("simulate") ? 3 : 1))
  }

  @Test("shows an order that is completed")
  func order() async {
    let run = await RecordingTerminal.run("order --seed 3")
    #expect((run.status, run.error) == (0, ""))
    #expect(run.out.hasSuffix("charged, 12 requests, 0 of them from inactive RIBs.\n"))
  }

  @Test("replays a file, reports its malformed rows on standard error, and exits with status 1")
  func replay() async throws {
    let messages = try Fixture.messages()
    #expect(messages.count == 22)
    let run = await RecordingTerminal.run(["replay", Fixture.path, "--format", "json"])
    #expect(run.status == 1)
    #expect(run.out.contains(#""orders":22,"completed":22,"cancelled":0,"failed":0,"rejectedRows":22,"#))
    #expect(run.out.contains(#""totalCharged":"526.69""#))
    #expect(run.out.split(separator: "\n").count == 1)
    #expect(run.error == messages.map { "\(Fixture.path): \($0)\n" }.joined())
  }

  @Test("replays a file without malformed rows with exit status 0")
  func cleanReplay() async throws {
    let trips = "pickup,dropoff,distance,fare,tip,tolls,total\n2021-06-01 08:00:00,2021-06-01 08:00:00,0,0,0,0,0"
    let run = try await RecordingTerminal.run("replay \(file(trips))")
    #expect((run.status, run.error) == (0, ""))
    #expect(run.out.hasPrefix("orders "))
  }

  @Test("refuses a file that is not a trip file with exit status 65, and an unreadable one with 66")
  func files() async throws {
    let file = try self.file("a,b\n1,2\n")
    let noTrips = await RecordingTerminal.run("replay \(file)")
    #expect((noTrips.status, noTrips.out) == (65, ""))
    #expect(noTrips.error.contains("the first line has no column 'pickup', 'dropoff', 'distance', 'fare'"))
    let missing = await RecordingTerminal.run("replay \(file)x")
    #expect((missing.status, missing.error) == (66, "taxi: can't read '\(file)x': No such file or directory\n"))
    #expect(await RecordingTerminal.run("replay \(folder.path)").status == 66)
  }

  @Test("shows the tree at each stage", arguments: Stage.allCases)
  func tree(stage: Stage) async {
    let run = await RecordingTerminal.run("tree --stage \(stage.rawValue) --format text")
    let ribs: [Stage: String] = [
      .loggedOut: "LoggedOut", .selecting: "Selecting", .dispatching: "Dispatching", .underWay: "OrderResultDetail",
      .settling: "Settlement", .receipt: "Receipt", .rating: "Rating", .history: "History",
    ]
    #expect(run.status == 0)
    #expect(run.out.hasPrefix("Root "))
    for (other, name) in ribs { #expect(run.out.contains("─ \(name) ") == (other == stage)) }
  }

  @Test("shows the taxis nearby in the tree while the rider chooses, and not during the search")
  func nearbyTaxis() async {
    let selecting = await RecordingTerminal.run("tree --stage selecting --fleet 25")
    #expect(selecting.out.split(separator: "\n").filter { $0.contains("─ NearbyTaxi ") }.count == 25)
    let dispatching = await RecordingTerminal.run("tree --stage dispatching --fleet 25")
    #expect(!dispatching.out.contains("NearbyTaxi"))
  }

  @Test("shows an order as JSON, one object per line, with the tree at each stage")
  func orderInJSON() async throws {
    let run = await RecordingTerminal.run("order --format json --tree --fault no-taxi")
    let lines = try run.out.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(lines.first?["path"] as? String == "Root")
    let stages = lines.filter { $0["kind"] as? String == "stage" }
    #expect(stages.compactMap { $0["stage"] as? String } == ["logged-out", "selecting", "dispatching", "history"])
    #expect(stages.allSatisfy { $0["tree"] != nil })
    #expect((lines.last?["kind"] as? String, lines.last?["reason"] as? String) == ("failed", "no taxi is free"))
    #expect(lines.last?["requests"] as? Int == 7)
  }
}
