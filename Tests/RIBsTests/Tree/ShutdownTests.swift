// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("Shutting down a tree", .patient) @MainActor
struct ShutdownTests {
  private let clock = TestClock()
  private let gate = Gate()
  private let journal = Journal()

  /// A tree with work that has begun, and ignores its cancellation until the gate opens.
  private func launchStuckTree(_ configuration: TreeConfiguration) async -> Tree {
    let root = Scripted.RootRouter()
    let tree = Tree.launched(root, configuration)
    root.interactor.task { [journal] in await gate.passStubbornly(journal) }
    await journal.wait(for: "begun")
    return tree
  }

  /// A host of a tree with such work.
  private func makeStuckHost() async throws -> TreeHost<Scripted.RootRouter> {
    let configuration = TreeConfiguration(clock: clock, leakDetection: .off)
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    try await host.perform { [journal] root in
      _ = root.interactor.task("upload", overlap: .enqueue) { await gate.passStubbornly(journal) }
    }
    await journal.wait(for: "begun")
    return host
  }

  @Test("waits for bound work that ignores its cancellation")
  func waits() async {
    let tree = await launchStuckTree(journal.configuration)
    Task { [journal] in
      await journal.wait(for: "ended Root")
      gate.open()
    }
    #expect(await tree.shutdown().unfinishedTasks.isEmpty)
    #expect(journal.lines.suffix(2) == ["ended Root", "taskEnded Root"])
  }

  @Test("names the unfinished work at the timeout, by path and origin, and returns")
  func deadline() async {
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    var configuration = journal.configuration
    configuration.clock = clock
    let tree = Tree.launched(root, configuration)
    // The one of several siblings whose work does not end.
    for sibling in [Scripted.ChildRouter(), child, Scripted.ChildRouter()] { root.attachChild(sibling) }
    let line: UInt = #line + 1
    child.interactor.task { await gate.passStubbornly(journal) }
    root.interactor.task { await Gate().pass() }
    root.interactor.run({ [journal] in await gate.passStubbornly(journal) }) {
      Issue.record("delivered to a dead scope")
    }
    await journal.wait(for: "begun", count: 2)
    Task { [journal] in
      await journal.wait(for: "taskEnded Root")
      await clock.advanceSleeper(by: .seconds(4))
      clock.advance(by: .seconds(1))
    }
    let report = await tree.shutdown(timeout: .seconds(5))
    #expect(
      Set(report.unfinishedTasks.map(\.description)) == [
        "Root/Child (#3): ShutdownTests.swift:\(line), 5.0 seconds after its RIB resigned",
        "Root (#1): ShutdownTests.swift:\(line + 2), 5.0 seconds after its RIB resigned",
      ])
    #expect(report.description.contains("\n  Root/Child (#3): ShutdownTests.swift"))
    #expect(!tree.isActive)
    gate.open()
    #expect(await tree.shutdown().unfinishedTasks.isEmpty)
  }

  @Test("does not wait for the deadline when all work has ended, and leaves no timer behind")
  func inTime() async {
    let tree = await launchStuckTree(TreeConfiguration(clock: clock, leakDetection: .off))
    Task {
      await clock.waitForSleeper()
      gate.open()
    }
    #expect(await tree.shutdown(timeout: .seconds(5)).unfinishedTasks.isEmpty)
    #expect(clock.deadlines.isEmpty)
  }

  @Test("is over when the waiting task is cancelled")
  func cancelledWait() async {
    let tree = await launchStuckTree(journal.configuration)
    let waiting = Task { @MainActor in await tree.shutdown().unfinishedTasks.map(\.path.description) }
    await journal.wait(for: "ended Root")
    waiting.cancel()
    #expect(await waiting.value == ["Root"])
    gate.open()
    // The wait that was cancelled has left nothing behind.
    #expect(await tree.shutdown().unfinishedTasks.isEmpty)
  }

  @Test("without a limit waits for a workflow that was started while a RIB resigned")
  func workflowOfResigning() async {
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    child.expectsReattachment = true
    child.interactor.onResign = { [unowned root] _ in
      let workflow = Workflow<Scripted.Interactor>()
      workflow.onStep { [journal] item in
        await gate.passStubbornly(journal)
        journal.write("step over")
        return (item, 1)
      }.commit()
      _ = workflow.subscribe(root.interactor)
    }
    root.attachChild(child)
    let tree = Tree.launched(root, journal.configuration)
    root.detachChild(child)
    await journal.wait(for: "begun")
    Task { gate.open() }
    #expect(await tree.shutdown().unfinishedTasks.isEmpty)
    #expect(journal.lines.contains("step over"))
    #expect(!journal.lines.contains("warning taskWhileInactive Root"))
  }

  @Test(
    "comes after the end of a workflow that moves to a RIB outside the tree when the wait for its item is cancelled",
    arguments: [false, true])
  func workflowMovingOutside(besideOtherWork: Bool) async {
    let (root, outside, absent) = (Scripted.RootRouter(), Scripted.ChildRouter(), Scripted.LeafRouter())
    let configuration = TreeConfiguration(
      leakDetection: .off, eventKinds: [.taskStarted, .taskEnded, .taskFailed, .ended],
      onEvent: { [journal] event in journal.write("\(event.kind)") })
    let tree = Tree.launched(root, configuration)
    _ = tree.events.subscribe(onNext: { _ in }, onCompleted: { [journal] in journal.write("all events") })
    // Active in no tree.
    outside.interactor.activate()
    // On a busy machine, half a minute may pass before the shutdown.
    let workflow = Workflow<Scripted.Interactor>(timeout: nil)
    workflow.onStep { _ in (outside.interactor, ()) }
      .onStep { _, _ in (absent.interactor, ()) }
      .onStep { item, _ in (item, journal.write("third step")) }
      .commit()
    _ = workflow.subscribe(root.interactor)
    // Outside, it is no work of the tree. Where it waits, it is.
    await journal.wait(for: "taskStarted", count: 2)
    if besideOtherWork {
      root.interactor.task { [journal] in await gate.passStubbornly(journal) }
      await journal.wait(for: "begun")
    }
    let shutdown = Task { @MainActor in
      let report = await tree.shutdown()
      journal.write("shut down")
      return report
    }
    if besideOtherWork {
      await journal.wait(for: "taskEnded", count: 2)
      #expect(!journal.lines.contains("all events"))
      journal.write("gate opens")
      gate.open()
    }
    #expect(await shutdown.value.unfinishedTasks.isEmpty)
    let other = besideOtherWork ? ["gate opens", "taskEnded"] : []
    let lines = Array(journal.lines.drop { $0 != "ended" })
    #expect(lines == ["ended", "taskEnded"] + other + ["all events", "shut down"])
    outside.interactor.deactivate()
  }

  @Test("of a host waits again, and names what is still stuck, when it is called again")
  func hostAgain() async throws {
    let host = try await makeStuckHost()
    #expect(await host.shutdown(timeout: .zero).unfinishedTasks.map(\.path.description) == ["Root"])
    #expect(await host.shutdown(timeout: .zero).unfinishedTasks.map(\.path.description) == ["Root"])
    Task {
      await clock.waitForSleeper()
      gate.open()
    }
    #expect(await host.shutdown(timeout: .seconds(1)).unfinishedTasks.isEmpty)
  }

  /// Where a tree is shut down by its own code.
  enum Place: CaseIterable { case work, call, childTask }

  @Test(
    "returns in work and calls of the tree itself, which it excludes, and in a child task, which it names at its limit",
    arguments: Place.allCases, [false, true])
  func inside(_ place: Place, isLimited: Bool) async throws {
    let (reports, report) = AsyncStream<ShutdownReport>.makeStream()
    let host = await TreeHost { Scripted.RootRouter() }
    let timeout: Duration? = isLimited ? place == .childTask ? .milliseconds(10) : .seconds(3600) : nil
    switch place {
    case .work:
      try await host.perform { root in
        root.interactor.task { report.yield(await host.shutdown(timeout: timeout)) }
      }
    case .call:
      await #expect(throws: TreeEnded.self) {
        try await host.perform { _ in report.yield(await host.shutdown(timeout: timeout)) }
      }
    case .childTask:
      try await host.perform { root in
        root.interactor.task {
          await withTaskGroup { group in
            group.addTask { report.yield(await host.shutdown(timeout: timeout)) }
          }
        }
      }
    }
    let inside = await first(of: reports)
    #expect(inside?.unfinishedTasks.count == (place == .childTask ? 1 : 0))
    #expect(inside?.busy == nil)
    #expect(await host.shutdown().unfinishedTasks.isEmpty)
  }
  @Test("returns at the timeout, and names what is stuck, also in a task that is cancelled")
  func cancelledShutdown() async throws {
    let host = try await makeStuckHost()
    let waiting = Task { await host.shutdown(timeout: .seconds(5)) }
    waiting.cancel()
    await clock.advanceSleeper(by: .seconds(5))
    let unfinished = await waiting.value.unfinishedTasks
    #expect(unfinished.map(\.path.description) == ["Root"])
    #expect(unfinished.first?.work.hasPrefix("upload (ShutdownTests.swift:") == true)
    gate.open()
    #expect(await host.shutdown().unfinishedTasks.isEmpty)
  }
}
