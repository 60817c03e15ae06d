import TestSupport
import Dispatch
import RIBs
import RIBsTesting
import Testing

/// Blocks the thread of a tree until a test opens it.
private final class Blockade: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func block() { semaphore.wait() }
  func open() { semaphore.signal() }
}

@Suite("A time limit on the shutdown of a tree that does not answer", .serialized)
struct BusyShutdownTests {
  enum Place: CaseIterable { case call, resignation, step, laterStep, result }

  private let journal = Journal()
  private let blockade = Blockade()
  private let gate = Gate()
  private let resuming = Gate()
  private let clock = TestClock()

  private func block() {
    journal.write("blocked")
    blockade.block()
  }

  private func makeHost(
    _ place: Place, on executor: TreeExecutor?, turnLimit: Duration? = nil, clock: any Clock<Duration>
  ) async -> TreeHost<Scripted.RootRouter> {
    let configuration = TreeConfiguration(
      clock: clock, threads: executor.map { .executor($0) } ?? .global, leakDetection: .off, turnLimit: turnLimit)
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
  private func occupy(
    _ host: TreeHost<Scripted.RootRouter>, _ place: Place, on executor: TreeExecutor?
  ) async throws -> Int {
    let (gate, journal) = (gate, journal)
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
    await clock.waitForSleeper()
    clock.advance(by: limit)
    return await report.value
  }

  @Test("holds, and the report says which tree is busy, and with what", arguments: Place.allCases)
  func busy(_ place: Place) async throws {
    // Calls and work block a thread of their own.
    let executor = TreeExecutor()
    defer { blockade.open() }
    let host = await makeHost(place, on: executor, clock: clock)
    let line = try await occupy(host, place, on: executor)
    let report = await shutDown(host, limit: .milliseconds(20))
    if place == .laterStep, let unreachable = report.unreachable {
      // The step runs on the thread that started the work, which the caller chose.
      #expect(unreachable.description.contains("or for a later step of its work"))
      return
    }
    let busy = try #require(report.busy)
    #expect(report.unreachable == nil && report.unfinishedTasks.isEmpty)
    #expect(busy.root == "Root")
    #expect(busy.time >= .milliseconds(20))
    #expect(busy.path?.description == (place == .resignation ? "Root/Child" : nil))
    switch place {
    case .call: #expect(busy.activity == "perform (BusyShutdownTests.swift:\(line))")
    case .step: #expect(busy.activity == "bound work (BusyShutdownTests.swift:\(line))")
    case .result: #expect(busy.activity == "the result of bound work (BusyShutdownTests.swift:\(line))")
    case .laterStep: #expect(busy.activity.hasPrefix("bound work that has continued after an await"))
    case .resignation:
      #expect(busy.description.hasPrefix("Root runs the end of the tree, in which Root/Child resigns, for "))
    }
    blockade.open()
    let last = await host.shutdown()
    #expect(last.busy == nil && last.unreachable == nil)
  }

  @Test("names each piece of work with its RIB and its time while turns are measured", arguments: Place.allCases)
  func measured(_ place: Place) async throws {
    let executor = TreeExecutor()
    defer { blockade.open() }
    let host = await makeHost(place, on: executor, turnLimit: .seconds(3600), clock: clock)
    let start = SuspendingClock.now
    let line = try await occupy(host, place, on: executor)
    let limit = Duration.milliseconds(20)
    let busy = try #require(await shutDown(host, limit: limit).busy)
    let end = SuspendingClock.now
    #expect(busy.path?.description == (place == .resignation ? "Root/Child" : "Root"))
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
    blockade.open()
    #expect(await host.shutdown().busy == nil)
  }

  @Test("names a tree on the global executor that continues after an await")
  func globalExecutor() async throws {
    defer { blockade.open() }
    let host = await makeHost(.laterStep, on: nil, clock: clock)
    _ = try await occupy(host, .laterStep, on: nil)
    let report = await shutDown(host, limit: .milliseconds(20))
    #expect(report.busy?.activity.hasPrefix("bound work that has continued after an await") == true)
    blockade.open()
    #expect(await host.shutdown().busy == nil)
  }

  @Test(
    "reports all trees of a blocked executor at the limit, and only the one that blocks it as busy",
    arguments: [Place.call, .step, .laterStep])
  func shared(_ place: Place) async throws {
    let executor = TreeExecutor()
    defer { blockade.open() }
    // The trees share a timer, as with the usual clock.
    let clock = SuspendingClock()
    // A later step of work is known for certain only while turns are measured.
    let blocked = await makeHost(
      place, on: executor, turnLimit: place == .laterStep ? .seconds(3600) : nil, clock: clock)
    var (working, idle): ([TreeHost<Scripted.RootRouter>], [TreeHost<Scripted.RootRouter>]) = ([], [])
    for number in 0..<99 {
      let host = await makeHost(place, on: executor, clock: clock)
      guard number % 3 == 0 else {
        idle.append(host)
        continue
      }
      // A third has bound work that becomes ready to run, and can't, while the thread is blocked.
      try await host.perform { [journal, resuming] root in
        _ = root.interactor.task {
          journal.write("waits")
          await resuming.pass()
        }
      }
      working.append(host)
    }
    await journal.wait(for: "waits", count: 33)
    _ = try await occupy(blocked, place, on: executor)
    resuming.open()
    // A tree without work needs no thread of its own. It ends, as long as that takes on a busy machine.
    for report in await idle.shutdown() {
      #expect(report.busy == nil && report.unreachable == nil && report.unfinishedTasks.isEmpty)
    }
    let start = ContinuousClock.now
    let reports = await ([blocked] + working).shutdown(timeout: .milliseconds(200))
    #expect(start.duration(to: .now) < .seconds(20))
    #expect(reports.count == 34)
    #expect(reports[0].busy?.root == "Root")
    #expect(reports.dropFirst().allSatisfy { $0.busy == nil })
    // One with work waits for the blocked thread, unless the runtime has moved the turns of its actor to another one.
    for case let unreachable? in reports.map(\.unreachable) {
      #expect(unreachable.root == "Root")
      #expect(unreachable.description.contains("waits for the thread of its executor"))
    }
    blockade.open()
    for report in await ([blocked] + working + idle).shutdown() {
      #expect(report.busy == nil && report.unreachable == nil && report.unfinishedTasks.isEmpty)
    }
  }
}
