// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Dispatch
import RIBs
import RIBsTesting
import Testing

@Suite("A time limit on the shutdown of a tree that does not answer", .serialized)
struct BusyShutdownTests {
  enum Place: CaseIterable { case call, resignation, step, laterStep, result }

  private let journal = Journal()
  private let blockade = DispatchSemaphore(value: 0)
  private let gate = Gate()
  private let clock = TestClock()

  private func block() {
    journal.write("blocked")
    blockade.wait()
  }

  private func makeHost(_ place: Place, turnLimit: Duration? = nil) async -> TreeHost<Scripted.RootRouter> {
    let configuration = TreeConfiguration(
      name: "order-17", labels: ["tenant": "north"], clock: clock, leakDetection: .off, turnLimit: turnLimit)
    return await TreeHost(configuration: configuration) { [self] in
      let root = Scripted.RootRouter()
      let child = Scripted.ChildRouter()
      if place == .resignation { child.interactor.onResign = { _ in self.block() } }
      root.attachChild(child)
      return root
    }
  }

  /// Blocks a tree, unless that happens when it ends.
  ///
  /// - Returns: the line of the code that blocks it.
  private func occupy(_ host: TreeHost<Scripted.RootRouter>, _ place: Place) async throws -> Int {
    let (gate, journal, executor) = (gate, journal, OwnThread())
    var line = #line
    switch place {
    case .resignation: return line
    case .call:
      line = #line + 1
      Task(executorPreference: executor) { try await host.perform { _ in self.block() } }
    case .step:
      line = #line + 2
      Task(executorPreference: executor) {
        try await host.perform { root in _ = root.interactor.task { self.block() } }
      }
    case .laterStep:
      line = #line + 2
      try await host.perform { root in
        _ = root.interactor.task("upload", overlap: .concurrent) {
          journal.write("begun")
          await gate.pass()
          self.block()
        }
      }
      await journal.wait(for: "begun")
      // The tree takes a call only after the first step has returned, which waits for the gate.
      try await host.perform { _ in }
      gate.open()
    case .result:
      line = #line + 2
      Task(executorPreference: executor) {
        try await host.perform { root in _ = root.interactor.run({ 1 }) { _ in self.block() } }
      }
    }
    await journal.wait(for: "blocked")
    return line
  }

  /// Shuts a tree down with a limit that passes while the tree is blocked.
  private func shutDown(_ host: TreeHost<Scripted.RootRouter>, limit: Duration) async -> ShutdownReport {
    let report = Task { await host.shutdown(timeout: limit) }
    // Also by the resignation, which may come late on a busy machine.
    await journal.wait(for: "blocked")
    await clock.advanceSleeper(by: limit)
    return await report.value
  }

  @Test("holds, and the report says which tree is busy, and with what", arguments: Place.allCases)
  func busy(_ place: Place) async throws {
    defer { blockade.signal() }
    let host = await makeHost(place)
    let line = try await occupy(host, place)
    let report = await shutDown(host, limit: .milliseconds(20))
    let busy = try #require(report.busy)
    #expect(report.unfinishedTasks.isEmpty)
    #expect(busy.root == "order-17:Root")
    #expect(busy.time >= .milliseconds(20))
    #expect(busy.path?.description == (place == .resignation ? "order-17:Root/Child" : nil))
    #expect(busy.path?.labels == (place == .resignation ? ["tenant": "north"] : nil))
    switch place {
    case .call: #expect(busy.activity == "perform (BusyShutdownTests.swift:\(line))")
    case .step: #expect(busy.activity == "bound work (BusyShutdownTests.swift:\(line))")
    case .result: #expect(busy.activity == "the result of bound work (BusyShutdownTests.swift:\(line))")
    case .laterStep: #expect(busy.activity.hasPrefix("bound work that has continued after an await"))
    case .resignation:
      let text = "order-17:Root runs the end of the tree, in which order-17:Root/Child resigns, for "
      #expect(busy.description.hasPrefix(text))
    }
    blockade.signal()
    let last = await host.shutdown()
    #expect(last.busy == nil)
  }

  @Test("names each piece of work with its RIB and its time while turns are measured", arguments: Place.allCases)
  func measured(_ place: Place) async throws {
    defer { blockade.signal() }
    let host = await makeHost(place, turnLimit: .seconds(3600))
    let start = SuspendingClock.now
    let line = try await occupy(host, place)
    let limit = Duration.milliseconds(20)
    let busy = try #require(await shutDown(host, limit: limit).busy)
    let end = SuspendingClock.now
    #expect(busy.path?.description == (place == .resignation ? "order-17:Root/Child" : "order-17:Root"))
    let name = "BusyShutdownTests.swift:\(line)"
    switch place {
    case .call: #expect(busy.activity == "perform (\(name))")
    case .step, .result: #expect(busy.activity == name)
    case .laterStep: #expect(busy.activity == "upload (\(name))")
    case .resignation: #expect(busy.activity == "the end of the tree")
    }
    // The turn began before the shutdown, except that of the end of the tree.
    if place != .resignation { #expect(busy.time >= limit) }
    #expect(busy.time <= start.duration(to: end))
    blockade.signal()
    #expect(await host.shutdown().busy == nil)
  }
}
