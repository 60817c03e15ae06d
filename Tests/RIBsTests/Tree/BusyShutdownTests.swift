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

  private func occupation(_ place: Occupation.Place) -> Occupation {
    Occupation(place) { [journal, blockade] in
      journal.write("blocked")
      blockade.wait()
    }
  }

  private func configuration(turnLimit: Duration? = nil) -> TreeConfiguration {
    TreeConfiguration(
      name: "order-17", labels: ["tenant": "north"], clock: clock, leakDetection: .off, turnLimit: turnLimit)
  }

  /// Shuts a tree down with a limit that passes while the tree is blocked.
  private func shutDown(_ host: TreeHost<Scripted.RootRouter>, limit: Duration) async -> ShutdownReport {
    let report = Task { await host.shutdown(timeout: limit) }
    // Also by the resignation, which may come late on a busy machine.
    await journal.wait(for: "blocked")
    await clock.advanceSleeper(by: limit)
    return await report.value
  }

  @Test("holds, and the report says which tree is busy, and with what", arguments: places)
  func busy(_ place: Occupation.Place) async throws {
    defer { blockade.signal() }
    let occupation = occupation(place)
    let host = await occupation.makeHost(configuration())
    let name = "Occupation.swift:\(try await occupation.begin(in: host) ?? 0)"
    let report = await shutDown(host, limit: .milliseconds(20))
    let busy = try #require(report.busy)
    #expect(report.unfinishedTasks.isEmpty)
    #expect(busy.root == "order-17:Root")
    #expect(busy.time >= .milliseconds(20))
    #expect(busy.path?.description == (place == .resignation ? "order-17:Root/Child" : nil))
    #expect(busy.path?.labels == (place == .resignation ? ["tenant": "north"] : nil))
    switch place {
    case .call: #expect(busy.activity == "perform (\(name))")
    case .step: #expect(busy.activity == "bound work (\(name))")
    case .result: #expect(busy.activity == "the result of bound work (\(name))")
    case .laterStep: #expect(busy.activity.hasPrefix("bound work that has continued after an await"))
    default:
      let text = "order-17:Root runs the end of the tree, in which order-17:Root/Child resigns, for "
      #expect(busy.description.hasPrefix(text))
    }
    blockade.signal()
    let last = await host.shutdown()
    #expect(last.busy == nil)
  }

  @Test("names each piece of work with its RIB and its time while turns are measured", arguments: places)
  func measured(_ place: Occupation.Place) async throws {
    defer { blockade.signal() }
    let occupation = occupation(place)
    let host = await occupation.makeHost(configuration(turnLimit: .seconds(3600)))
    let start = SuspendingClock.now
    let name = "Occupation.swift:\(try await occupation.begin(in: host) ?? 0)"
    let limit = Duration.milliseconds(20)
    let busy = try #require(await shutDown(host, limit: limit).busy)
    let end = SuspendingClock.now
    #expect(busy.path?.description == (place == .call ? "order-17:Root" : "order-17:Root/Child"))
    switch place {
    case .call: #expect(busy.activity == "perform (\(name))")
    case .step, .result: #expect(busy.activity == name)
    case .laterStep: #expect(busy.activity == "upload (\(name))")
    default: #expect(busy.activity == "the end of the tree")
    }
    // The turn began before the shutdown, except that of the end of the tree.
    if place != .resignation { #expect(busy.time >= limit) }
    #expect(busy.time <= start.duration(to: end))
    blockade.signal()
    #expect(await host.shutdown().busy == nil)
  }
}
