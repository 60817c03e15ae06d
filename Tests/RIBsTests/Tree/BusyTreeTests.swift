// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsTesting
import TestSupport
import Testing

@Suite("A time limit on a tree that does not answer")
struct BusyTreeTests {
  private let journal = Journal()
  private let blockade = DispatchSemaphore(value: 0)
  private let clock = TestClock()

  /// A tree that is blocked by a call.
  ///
  /// - Returns: its host, and what it runs.
  private func makeBlockedHost() async throws -> (TreeHost<Scripted.RootRouter>, activity: String) {
    let occupation = Occupation(.call) { [blockade] in blockade.wait() }
    let host = await occupation.makeHost(TreeConfiguration(name: "order-17", clock: clock, leakDetection: .off))
    let line = try await occupation.begin(in: host) ?? 0
    return (host, "perform (Occupation.swift:\(line))")
  }

  @Test(
    "of a call bounds its caller, who learns what the tree runs, and the call is never made", arguments: [false, true])
  func busy(isWithin: Bool) async throws {
    let (host, activity) = try await makeBlockedHost()
    let call = Task { [journal] in
      if isWithin {
        try await host.perform(within: { $0.interactor }, timeout: .seconds(5)) { _ in journal.write("made") }
      } else {
        try await host.perform(timeout: .seconds(5)) { _ in journal.write("made") }
      }
    }
    await clock.advanceSleeper(by: .seconds(5))
    let error = await #expect(throws: BoundWork.TimedOut.self) { try await call.value }
    #expect(
      error?.description
        == "The call was not begun within 5.0 seconds, and will not be. The tree did not answer in time: order-17:Root "
        + "runs \(activity), for 5.0 seconds at least.")
    blockade.signal()
    // After the abandoned call, whose turn would have come before.
    try await host.perform { _ in }
    await host.shutdown()
    #expect(journal.lines.isEmpty)
  }

  @Test("of a call ends with the caller, if that is cancelled meanwhile")
  func cancelled() async throws {
    let (host, _) = try await makeBlockedHost()
    let call = Task { [journal] in
      try await host.perform(timeout: .seconds(5)) { _ in journal.write("made") }
    }
    await clock.waitForSleeper()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    blockade.signal()
    // After the call that never begins.
    try await host.perform { _ in }
    try await host.perform { _ in }
    await host.shutdown()
    #expect(journal.lines.isEmpty)
  }

  @Test("of a call lets its caller cancel it before the caller knows that it has begun, and wait for its end")
  func cancelledAtItsBeginning() async throws {
    let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { Scripted.RootRouter() }
    for number in 1...2000 {
      let (caller, gate) = (Shared<Task<Void, any Error>?>(nil), Gate())
      let call = Task { [journal] in
        await gate.pass()
        try await host.perform(timeout: .seconds(1000)) { _ in
          caller.value?.cancel()
          while !Task.isCancelled { await Task.yield() }
          journal.write("ended")
        }
      }
      caller.value = call
      gate.open()
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(journal.lines.count == number)
    }
    await host.shutdown()
  }

  static let places: [Occupation.Place] = [.call, .resignation, .step, .laterStep, .result]

  @Test(
    "of a shutdown holds, and the report says which tree is busy, with what, and with which RIB while turns are measured",
    .serialized, arguments: places, [false, true])
  func shutdown(_ place: Occupation.Place, isMeasured: Bool) async throws {
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
