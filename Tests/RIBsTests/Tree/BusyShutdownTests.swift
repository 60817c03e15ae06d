// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Dispatch
import RIBs
import RIBsTesting
import Testing

@Suite("A time limit on the shutdown of a tree that does not answer", .serialized)
struct BusyShutdownTests {
  static let places: [Occupation.Place] = [.call, .resignation, .step, .laterStep, .result]

  private let journal = Journal()
  private let blockade = DispatchSemaphore(value: 0)
  private let clock = TestClock()

  @Test(
    "holds, and the report says which tree is busy, and with what, and with which RIB while turns are measured",
    arguments: places, [false, true])
  func busy(_ place: Occupation.Place, isMeasured: Bool) async throws {
    defer { blockade.signal() }
    let occupation = Occupation(place) { [journal, blockade] in
      journal.write("blocked")
      blockade.wait()
    }
    let host = await occupation.makeHost(
      TreeConfiguration(
        name: "order-17", labels: ["tenant": "north"], clock: clock, leakDetection: .off,
        turnLimit: isMeasured ? .seconds(3600) : nil))
    let start = SuspendingClock.now
    let site = "Occupation.swift:\(try await occupation.begin(in: host) ?? 0)"
    // Passes while the tree is blocked.
    let limit = Duration.milliseconds(20)
    let shutdown = Task { await host.shutdown(timeout: limit) }
    // Also by the resignation, which may come late on a busy machine.
    await journal.wait(for: "blocked")
    await clock.advanceSleeper(by: limit)
    let report = await shutdown.value
    let end = SuspendingClock.now
    #expect(report.unfinishedTasks.isEmpty)
    let busy = try #require(report.busy)
    let activity =
      switch (place, isMeasured) {
      case (.call, false): "perform (\(site))"
      case (.call, true): "perform (\(site)) of order-17:Root"
      case (.step, false): "bound work (\(site))"
      case (.result, false): "the result of bound work (\(site))"
      case (.laterStep, false):
        "bound work that has continued after an await; TreeConfiguration.turnLimit or a TurnWatchdog names it"
      case (.step, true), (.result, true): "\(site) of order-17:Root/Child"
      case (.laterStep, true): "upload (\(site)) of order-17:Root/Child"
      default: "the end of the tree, in which order-17:Root/Child resigns"
      }
    #expect(busy.description.split(separator: ", for ").first ?? "" == "order-17:Root runs \(activity)")
    if let path = busy.path { #expect(path.labels == ["tenant": "north"]) }
    // The turn began before the shutdown, except that of the end of the tree, whose time is exact only if measured.
    if place != .resignation || !isMeasured { #expect(busy.time >= limit) }
    if isMeasured { #expect(busy.time <= start.duration(to: end)) }
    blockade.signal()
    #expect(await host.shutdown().busy == nil)
  }
}
