// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import TestSupport
import Testing

@Suite("The streams of followers", .timeLimit(.minutes(15)))
struct FollowerStreamsTests {
  private let counts = Shared<[Int]>([])
  private let closed = Shared(0)

  private func streams(limit: Int = 3, byTree: Int = 2, heartbeat: Duration = .seconds(60)) -> FollowerStreams<String> {
    FollowerStreams(
      limit: limit, limitByTree: byTree, heartbeat: heartbeat, beat: "beat",
      onCount: { [counts] count in counts.change { $0.append(count) } })
  }

  private func add(_ tree: String, to streams: FollowerStreams<String>) throws -> FollowerStreams<String>.Follower {
    try streams.add(tree) { [closed] in closed.change { $0 += 1 } }
  }

  @Test("are limited, for each tree and together, and counted until they are released")
  func limits() throws {
    let streams = streams()
    var followers = [try add("a", to: streams), try add("a", to: streams)]
    #expect(throws: FollowerRefusal.treeFull(limit: 2)) { try add("a", to: streams) }
    followers.append(try add("b", to: streams))
    #expect(throws: FollowerRefusal.full) { try add("c", to: streams) }
    #expect(streams.count == 3)
    followers.removeFirst(2)
    #expect(streams.count == 1)
    for _ in 0..<2 { followers.append(try add("a", to: streams)) }
    followers = []
    #expect(streams.count == 0)
    #expect(counts.value == [1, 2, 3, 2, 1, 2, 3, 2, 1, 0])
    withExtendedLifetime(followers) {}
  }

  @Test("have the newest events for a follower that reads slowly, and a last one")
  func slow() async throws {
    let streams = streams()
    let (follower, other) = (try add("a", to: streams), try add("a", to: streams))
    for number in 0..<100 { follower.send("\(number)") }
    other.finish()
    streams.end(with: "end")
    #expect(await follower.events.reduce(into: []) { $0.append($1) } == ["98", "99", "end"])
    #expect(await other.events.reduce(into: []) { $0.append($1) } == [])
    #expect(throws: FollowerRefusal.ended) { try add("a", to: streams) }
  }

  @Test("have heartbeats, and the connection of a follower that does not read is closed")
  func heartbeats() async throws {
    // Long enough that the one that reads does so in time, on a busy machine too.
    let streams = streams(heartbeat: .milliseconds(200))
    #expect(streams.patience == .milliseconds(500))
    let closing = Promise<Void>()
    let reading = try add("a", to: streams)
    let stuck = try streams.add("a") { [closed] in
      closed.change { $0 += 1 }
      closing.set(())
    }
    let running = Task { await streams.run() }
    var beats = 0
    for await event in reading.events {
      #expect(event == "beat")
      await reading.write { beats += 1 }
      if beats == 3 { break }
    }
    #expect(closed.value == 0)
    await stuck.write { await closing.value }
    #expect(closed.value == 1)
    await running.end()
  }
}
