// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsInspector
import TestSupport
import Testing

@testable import TaxiOrder
@testable import taxi

@Suite("The recording of a simulated day with faults")
struct RecordedDayTests {
  private static let problems: Set = ["failed", "taskFailed", "restarted", "restartsExhausted"]

  @Test("is replayed at each failure, and shows its RIB")
  func failures() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = "\(folder.path)/day.ribs"
    let run = await RecordingTerminal.run("simulate --orders 60 --seed 7 --fault-rate 0.6 --record \(path)")
    #expect(run.status == 0 && run.error == "")
    let recording = try TreeRecording(contentsOf: path)
    #expect(recording.problems == [])
    #expect(recording.isComplete && recording.lostEvents == 0)
    #expect(recording.trees.count == 60)
    var shown: [String: Int] = [:]
    var ties = 0
    for tree in recording.trees {
      #expect(tree.hasEnded)
      for event in try recording.events(of: tree.id) where RecordedDayTests.problems.contains(event.kind) {
        let snapshot = try #require(try recording.snapshot(of: tree.id, after: event.number), "\(event)")
        let index = try #require(snapshot.nodes.firstIndex { $0.id == event.node }, "\(event)")
        let node = snapshot.nodes[index]
        #expect(snapshot.path(of: index) == event.path, "\(event)")
        switch event.kind {
        case "failed": #expect(node.state == .active, "\(event)")
        case "restarted": #expect(node.restarts != nil, "\(event)")
        // The work that failed has ended.
        case "taskFailed": #expect(!node.tasks.contains { $0 == event.work }, "\(event)")
        default: break
        }
        shown[event.kind, default: 0] += 1
        // The clock of an order is virtual: much happens at the same time, and the tree at this time is another one.
        if try recording.snapshot(of: tree.id, at: event.time) != snapshot { ties += 1 }
      }
    }
    for kind in ["failed", "taskFailed", "restarted"] { #expect(shown[kind, default: 0] > 5, "\(kind)") }
    #expect(ties > 0)
  }
}

extension TreeSnapshot {
  /// The names from the root to a RIB.
  fileprivate func path(of index: Int) -> [String] {
    (nodes[index].parent.map { path(of: $0) } ?? []) + [nodes[index].name]
  }
}
