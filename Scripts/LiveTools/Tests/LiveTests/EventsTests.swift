// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("ribs events")
struct EventsTests {
  @Test("writes a line for each event as it comes, until the tree has ended")
  func text() throws {
    let probe = try Probe()
    let events = try probe.ribs("events", "--tree", "1")
    // The first event shows that the tool is connected.
    while !events.hasOutput { try probe.tell("burst 1") }
    let first = try #require(events.output.line())
    #expect([first].ageless.first?.hasPrefix("… Root/Leaf ") == true)
    try probe.tell("end")
    let outcome = events.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.output.suffix(2).ageless == ["… Root resigned after …s", "… Root ended"])
  }

  @Test("replays what is known as objects, and stops when there are enough")
  func replay() throws {
    struct Event: Decodable {
      let kind: String
      let path: [String]
      let number: Int
      let tree: Int
    }
    let probe = try Probe()
    // The process records events only while a client follows, and discards them when the last one disconnects.
    let follower = try probe.ribs("events")
    while !follower.hasOutput { try probe.tell("burst 1") }
    let first = try probe.ribs("events", "--count", "5")
    while !first.hasOutput { try probe.tell("burst 1") }
    // Ensures five events, even if only the last ones of a burst arrived in time.
    try probe.tell("burst 1")
    let outcome = first.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.output.count == 5)
    #expect(outcome.output.allSatisfy { $0.hasPrefix("1 ") })
    let lines = try probe.run("events", "--replay", "--format", "ndjson", "--count", "5").output
    let events = try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    #expect(events.map(\.kind) == ["attached", "activated", "loaded", "resigned", "detached"])
    #expect(events.allSatisfy { $0.path == ["Root", "Leaf"] && $0.tree == 1 })
    #expect(events.map(\.number) == Array(1...5))
    withExtendedLifetime(follower) {}
  }

  @Test("follows a tree whose name is a number")
  func numbers() throws {
    let probe = try Probe()
    try probe.tell("open 4711")
    let events = try probe.ribs("events", "--tree", "4711", "--count", "1")
    while !events.hasOutput { try probe.tell("work") }
    let outcome = events.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.output.first?.contains("Root taskStarted") == true, "\(outcome)")
  }

  @Test("ends when the process is killed")
  func killed() throws {
    let probe = try Probe()
    let events = try probe.ribs("events")
    while !events.hasOutput { try probe.tell("burst 1") }
    probe.program.send(SIGKILL)
    #expect(events.outcome().status == 0)
  }
}
