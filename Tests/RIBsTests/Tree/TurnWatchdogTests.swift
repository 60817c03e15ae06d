// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsTesting
import TestSupport
import Testing

/// Does not suspend.
private func nothing() async {}

@Suite("A watchdog for turns that do not end")
struct TurnWatchdogTests {
  private let journal = Journal()

  /// Lasts for nine seconds of the watchdog, which looks at the tree meanwhile as another thread does.
  private func run(_ watchdog: TurnWatchdog) {
    for milliseconds in [1_000, 1_000, 999] {
      watchdog.check(after: .milliseconds(milliseconds))
      journal.write("\(watchdog.exceedingTurns.count) exceed the limit")
    }
    for milliseconds in [1, 5_000] { watchdog.check(after: .milliseconds(milliseconds)) }
    journal.write("\(watchdog.exceedingTurns.count) exceeds it for \(watchdog.exceedingTurns.map(\.time))")
  }

  private func makeWatchdog(endsProcessAfter: Duration? = nil) -> TurnWatchdog {
    TurnWatchdog(
      limit: .seconds(2), endsProcessAfter: endsProcessAfter, hasThread: false,
      endProcess: { [journal] in journal.write("the process ends") }
    ) { [journal] report in journal.write("\(report.kind): \(report.turn)") }
  }

  private func configuration(_ watchdog: TurnWatchdog) -> TreeConfiguration {
    TreeConfiguration(name: "order-17", leakDetection: .off, watchdog: watchdog)
  }

  private func makeHost(_ watchdog: TurnWatchdog) async -> TreeHost<Scripted.RootRouter> {
    await TreeHost(configuration: configuration(watchdog)) { Scripted.RootRouter() }
  }

  @Test(
    "names the tree, the RIB and the call site while the turn runs, once, and when it has ended",
    arguments: Occupation.Place.allCases)
  func names(_ place: Occupation.Place) async throws {
    let watchdog = makeWatchdog()
    let occupation = Occupation(place) { run(watchdog) }
    let host = await occupation.makeHost(configuration(watchdog))
    let line = try await occupation.begin(in: host)
    await host.shutdown()
    for _ in 0..<2 { watchdog.check(after: .seconds(1)) }
    let site = "Occupation.swift:\(line ?? 0)"
    let turn =
      switch place {
      case .building: "order-17 runs the launch"
      case .launch: "order-17:Root runs the launch of order-17:Root"
      case .call: "order-17:Root runs perform (\(site))"
      case .laterStep: "order-17:Root runs upload (\(site)) of order-17:Root/Child"
      case .step, .result: "order-17:Root runs \(site) of order-17:Root/Child"
      case .resignation: "order-17:Root runs the end of the tree, in which order-17:Root/Child resigns"
      }
    // It is first seen in the first round.
    journal.expect(
      "0 exceed the limit", "0 exceed the limit", "0 exceed the limit",
      "exceedsLimit: \(turn), for 2.0 seconds at least", "1 exceeds it for [7.0 seconds]",
      "hasEnded: \(turn), for 7.0 seconds at least")
    #expect(watchdog.exceedingTurns.isEmpty)
  }

  private var reports: [String] { journal.lines.filter { $0.hasPrefix("exceedsLimit") || $0.hasPrefix("hasEnded") } }

  @Test("does not name one call that is made again and again")
  func shortTurns() async throws {
    let watchdog = makeWatchdog()
    let host = await makeHost(watchdog)
    for _ in 0..<10 {
      // A round sees each of them.
      try await host.perform { _ in watchdog.check(after: .seconds(1)) }
    }
    #expect(reports.isEmpty)
    // One that runs during several rounds.
    try await host.perform { _ in for _ in 0..<3 { watchdog.check(after: .seconds(1)) } }
    #expect(reports.count == 1)
    await host.shutdown()
  }

  @Test("goes on with a turn that contains another one")
  func nestedTurn() async throws {
    let watchdog = makeWatchdog()
    let host = await makeHost(watchdog)
    try await host.perform { root in
      watchdog.check(after: .seconds(1))
      watchdog.check(after: .seconds(1))
      // The end of the tree is a turn in this one.
      root.interactor.endTree()
      watchdog.check(after: .seconds(1))
    }
    #expect(reports.map { $0.prefix { $0 != "(" } } == ["exceedsLimit: order-17:Root runs perform "])
    await host.shutdown()
  }

  @Test("goes on with work that has called its own host", arguments: [false, true])
  func callOfOwnHost(isAsynchronous: Bool) async throws {
    let watchdog = makeWatchdog()
    let host = await makeHost(watchdog)
    try await host.perform { [journal] root in
      root.interactor.task {
        if isAsynchronous {
          await Task.yield()
          try await host.perform { _ in await nothing() }
        } else {
          try await host.perform { _ in }
        }
        for _ in 0..<4 { watchdog.check(after: .seconds(1)) }
        journal.write("checked")
      }
    }
    await journal.wait(for: "checked")
    #expect(reports.map { $0.prefix { $0 != ":" } } == ["exceedsLimit"])
    #expect(reports.first?.contains("order-17:Root runs TurnWatchdogTests.swift:") == true, "\(reports)")
    await host.shutdown()
  }

  @Test("is not delayed by the time that its reports take")
  func slowReports() async throws {
    let isEnding = DispatchSemaphore(value: 0)
    let watchdog = TurnWatchdog(
      limit: .milliseconds(20), endsProcessAfter: .milliseconds(200), hasThread: true, endProcess: { isEnding.signal() }
    ) { report in
      // A report takes 25 times the limit.
      if report.kind == .exceedsLimit { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(500)) }
    }
    let host = await makeHost(watchdog)
    try await host.perform { _ in
      // Ten seconds later otherwise.
      #expect(isEnding.wait(timeout: .now() + .seconds(5)) == .success)
    }
    await host.shutdown()
  }

  @Test("ends the process at the second limit")
  func endsProcess() async throws {
    let watchdog = makeWatchdog(endsProcessAfter: .seconds(5))
    let host = await makeHost(watchdog)
    try await host.perform { [journal] _ in
      for _ in 0..<5 { watchdog.check(after: .seconds(1)) }
      journal.write("five")
      watchdog.check(after: .seconds(1))
    }
    #expect(journal.lines.suffix(2) == ["five", "the process ends"])
    await host.shutdown()
  }

  @Test("watches with a thread of its own, with no help of the others")
  func thread() async throws {
    let isSeen = DispatchSemaphore(value: 0)
    let watchdog = TurnWatchdog(limit: .milliseconds(20)) { [journal] report in
      journal.write("\(report.kind)")
      isSeen.signal()
    }
    let host = await makeHost(watchdog)
    // Does not end before the watchdog has seen it.
    try await host.perform { _ in isSeen.wait() }
    await journal.wait(for: "hasEnded")
    #expect(journal.lines == ["exceedsLimit", "hasEnded"])
    await host.shutdown()
  }

  @Test("forgets trees that have ended")
  func forgets() async throws {
    let watchdog = makeWatchdog()
    var hosts: [TreeHost<Scripted.RootRouter>] = []
    for _ in 0..<10 { hosts.append(await makeHost(watchdog)) }
    watchdog.check(after: .seconds(1))
    #expect(watchdog.treeCount == 10)
    for host in hosts { await host.shutdown() }
    hosts = []
    // The last task of a tree may still hold its actor.
    while watchdog.treeCount > 0 {
      await Task.yield()
      watchdog.check(after: .seconds(1))
    }
  }

  @Test("has limits of a millisecond at least, the second one not below the first")
  func numbers() {
    #expect(TurnWatchdog(limit: .seconds(-1)).limit == .milliseconds(1))
    let watchdog = TurnWatchdog(limit: .seconds(2), endsProcessAfter: .seconds(1))
    #expect(watchdog.endsProcessAfter == .seconds(2))
  }
}
