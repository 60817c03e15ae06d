// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TestSupport
import Testing

@testable import RIBsInspector

@Suite("The tree registry of an inspector", .tearsDown)
struct TreeRegistryTests {
  private let wakes = Shared(0)
  private let inspected: RegistryInspector

  init() {
    let registry = TreeRegistry(recordsAll: false, wakeReader: { [wakes] in wakes.change { $0 += 1 } })
    inspected = RegistryInspector(registry: registry)
  }

  private var registry: TreeRegistry { inspected.registry }

  private func host() async -> TreeHost<RootRouter> { await .inspected(by: inspected) }

  /// Reads all remaining events.
  private func read(_ cursor: inout EventCursor) -> (numbers: [Int], lost: Int, hasEnded: Bool) {
    var (numbers, lost): ([Int], Int) = ([], 0)
    while true {
      let reading = registry.read(&cursor)
      numbers += reading.events.map(\.event.number)
      lost += reading.lost + reading.lostAtEnd
      if reading.isAtEnd { return (numbers, lost, reading.hasEnded) }
    }
  }

  @Test("is bounded: with busy trees and 60 slow followers, it keeps the last events and counts the others")
  func bounds() async throws {
    for _ in 0..<60 { #expect(registry.follow(nil)) }
    var cursor = try #require(registry.cursor(nil, replay: 0))
    #expect(registry.mayWait(at: cursor.position))
    let (trees, rounds) = (4, 5_000)
    try await atOnce(0..<trees) { _ in
      let host = await host()
      try await host.change(times: rounds)
      await host.shutdown()
    }
    // The root is attached, active and loaded, and resigns with its tree, which ends.
    let made = trees * (5 * rounds + 5)
    #expect(registry.eventCount == EventRing.capacity)
    #expect(registry.entries.isEmpty)
    // The reader is woken once, however many events are recorded before it reads.
    #expect(wakes.value == 1)
    let (numbers, lost, _) = read(&cursor)
    #expect(numbers.count == EventRing.capacity)
    #expect(lost == made - EventRing.capacity)
    for _ in 0..<60 { registry.unfollow(nil) }
    #expect(registry.eventCount == 0)
  }

  @Test("counts the lost events of one tree that the events of others have overwritten")
  func lost() async throws {
    let (quiet, busy) = (await host(), await host())
    for tree in 1...2 {
      #expect(registry.follow(tree))
      registry.subscribe(to: tree)
      await waitForReports(of: tree)
    }
    var quietCursor = try #require(registry.cursor(1, replay: 0))
    try await quiet.change(times: 2)
    try await busy.change(times: 1_000)
    var (numbers, lost, hasEnded) = read(&quietCursor)
    #expect((numbers, lost, hasEnded) == ([], 10, false))
    try await quiet.change()
    (numbers, lost, hasEnded) = read(&quietCursor)
    #expect((numbers, lost, hasEnded) == (Array(11...15), 0, false))
    await quiet.shutdown()
    (numbers, lost, hasEnded) = read(&quietCursor)
    #expect((numbers, lost, hasEnded) == ([16, 17], 0, true))
  }

  /// Waits until a tree reports its events.
  private func waitForReports(of tree: InspectedTree.ID) async {
    while registry.cursor(tree, replay: 0) == nil { await Task.yield() }
  }

  @Test("ends the subscription to a tree at its first event after the last follower has disconnected")
  func leaving() async throws {
    let host = await host()
    for _ in 0..<3 {
      #expect(registry.follow(nil))
      #expect(registry.subscribe(to: 1))
      await waitForReports(of: 1)
      try await host.change()
      #expect(registry.eventCount == 5)
      registry.unfollow(nil)
      #expect(registry.eventCount == 0)
      try await host.change()
      #expect(registry.eventCount == 0)
    }
  }

  @Test("subscribes to a tree once, however often clients connect while it is silent")
  func returning() async throws {
    let host = await host()
    for round in 0..<100 {
      #expect(registry.follow(1))
      #expect(registry.subscribe(to: 1) == (round == 0))
      await waitForReports(of: 1)
      registry.unfollow(1)
    }
    #expect(registry.follow(1))
    var cursor = try #require(registry.cursor(1, replay: 0))
    try await host.change()
    #expect(read(&cursor).numbers == [1, 2, 3, 4, 5])
  }

  @Test("subscribes to trees at launch only while all trees are followed")
  func launches() async throws {
    let before = await host()
    #expect(registry.follow(nil))
    let during = await host()
    #expect(registry.eventCount == 3)
    registry.unfollow(nil)
    let after = await host()
    #expect(registry.follow(nil))
    #expect(registry.subscribe(to: 1))
    #expect(!registry.subscribe(to: 2))
    #expect(registry.subscribe(to: 3))
    for host in [before, during, after] { await host.shutdown() }
    #expect(registry.entries.isEmpty)
  }

  @Test("has no trees and events after it is closed")
  func closing() async throws {
    let host = await host()
    #expect(registry.follow(nil))
    registry.subscribe(to: 1)
    await waitForReports(of: 1)
    registry.close()
    try await host.change()
    _ = await self.host()
    #expect(registry.entries.isEmpty)
    #expect(registry.eventCount == 0)
    #expect(!registry.follow(nil))
    registry.unfollow(nil)
  }
}

/// Passes trees to a registry as an inspector does.
struct RegistryInspector: TreeObserver {
  let registry: TreeRegistry

  func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? { registry.add(tree) }

  func treeDidEnd(_ tree: TreeHandle) { registry.remove(tree) }
}
