// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("An asynchronous call of a host")
struct HostCallTests {
  private let gate = Gate()

  @TaskLocal private static var request = "none"

  private let journal = Journal()

  private func host() async -> TreeHost<Scripted.RootRouter> {
    await TreeHost(configuration: journal.configuration) { Scripted.RootRouter() }
  }

  @Test("runs on the tree, with the caller's task-local values, and returns its result")
  func running() async throws {
    let host = await host()
    let result = try await Self.$request.withValue("first") {
      try await host.perform { root in
        await Task.yield()
        root.interactor.summary = "\(root.interactor.isActive)"
        await Task.yield()
        return "\(Self.request) \(root.interactor.summary ?? "")"
      }
    }
    #expect(result == "first true")
    await host.shutdown()
    #expect(journal.lines.filter { $0.hasPrefix("task") } == ["taskStarted Root", "taskEnded Root"])
  }

  @Test("does not give its context to the work of the RIBs that it attaches")
  func context() async throws {
    let host = await host()
    try await Self.$request.withValue("first") {
      try await host.perform { root in
        await Task.yield()
        let child = Scripted.ChildRouter()
        child.interactor.onActive = { [journal] interactor in
          interactor.task { journal.write("child: \(Self.request)") }
        }
        root.attachChild(child)
        root.interactor.task { [journal] in journal.write("root: \(Self.request)") }
      }
    }
    await journal.wait(for: "child: none")
    await journal.wait(for: "root: first")
    await host.shutdown()
  }

  @Test("throws its closure's error, which no didFail receives")
  func throwing() async throws {
    let host = await host()
    try await host.perform { root in root.interactor.onFail = { [journal] _ in journal.write("didFail") } }
    await #expect(throws: Failure.self) {
      try await host.perform { _ in
        await Task.yield()
        throw Failure()
      }
    }
    await host.shutdown()
    #expect(
      journal.lines.filter { !$0.contains("tivated") && !$0.contains("resigned") } == [
        "attached Root", "loaded Root", "taskStarted Root", "taskFailed Root Failure", "ended Root",
      ])
  }

  @Test("is cancelled with its caller, and returns when its closure has ended")
  func cancelling() async throws {
    let host = await host()
    let call = Task {
      try await host.perform { _ in
        await gate.passStubbornly(journal)
        journal.write("cancelled: \(Task.isCancelled)")
      }
    }
    await journal.wait(for: "begun")
    call.cancel()
    // The cancellation reaches the tree in a turn of its own.
    try await host.perform { root in root.interactor.summary = "still there" }
    gate.open()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(journal.lines.contains("cancelled: true"))
    await host.shutdown()
  }

  @Test("throws what its closure throws although it was cancelled")
  func throwingWhenCancelled() async throws {
    let host = await host()
    let call = Task {
      try await host.perform { _ in
        journal.write("begun")
        while !Task.isCancelled { await Task.yield() }
        throw Failure()
      }
    }
    await journal.wait(for: "begun")
    call.cancel()
    await #expect(throws: Failure.self) { try await call.value }
    await host.shutdown()
  }

  @Test("is named by its own file and line, also the closure that finds its scope or discards a handle")
  func naming() async throws {
    let configuration = TreeConfiguration(
      leakDetection: .off, turnLimit: .nanoseconds(1), onSlowTurn: { turn in journal.write(turn.work) })
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    func lines(_ body: () async throws -> Void) async throws -> [String] {
      let count = journal.lines.count
      try await body()
      // The turn is reported before the next one begins.
      _ = await host.snapshot()
      return Array(journal.lines[count...])
    }
    let file = "HostCallTests.swift"
    #expect(try await lines { try await host.perform { $0.interactor.task {} } }.contains { $0.contains(file) })
    let subscribing = try await lines {
      try await host.perform { root in
        BehaviorRelay(value: 1).subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: root.interactor)
      }
    }
    #expect(subscribing.contains { $0.contains(file) })
    let within = try await lines {
      await #expect(throws: TreeEnded.self) {
        try await host.perform(within: { _ in Scripted.Interactor?.none }) { _ in await Task.yield() }
      }
    }
    #expect(within.contains { $0.contains(file) })
    let reading = try await lines {
      for await _ in host.values({ _ in BehaviorRelay(value: 1) }) { break }
    }
    #expect(reading.contains("a closure of values"))
    await host.shutdown()
    #expect(!journal.lines.contains { $0.contains("TreeHost+Calls") })
  }

  @Test("within a RIB ends with that RIB, and names it")
  func within() async throws {
    let host = await host()
    try await host.perform { root in root.attachChild(Scripted.ChildRouter()) }
    let call = Task {
      try await host.perform(within: { $0.onlyChild?.interactor }) { child in
        journal.write("in the child: \(child.isActive)")
        try await Task.sleep(for: .seconds(1_000))
      }
    }
    await journal.wait(for: "in the child: true")
    try await host.perform { root in if let child = root.onlyChild { root.detachChild(child) } }
    let error = await #expect(throws: TreeEnded.self) { try await call.value }
    #expect(error?.path?.description == "Root/Child")
    await host.shutdown()
  }

  @Test("throws at its timeout although the closure ignores its cancellation, which only the shutdown reports")
  func stubbornCall() async throws {
    let clock = TestClock()
    let configuration = TreeConfiguration(
      clock: clock, leakDetection: .off, onFailure: { failure in journal.write("failure \(failure.error)") })
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let call = Task {
      try await host.perform(timeout: .seconds(10)) { _ in
        await gate.passStubbornly(journal)
        journal.write("cancelled: \(Task.isCancelled)")
      }
    }
    await journal.wait(for: "begun")
    await clock.advanceSleeper(by: .seconds(10))
    let error = await #expect(throws: BoundWork.TimedOut.self) { try await call.value }
    #expect(error?.timeout == .seconds(10))
    let shutdown = Task { await host.shutdown(timeout: .seconds(1)) }
    await clock.advanceSleeper(by: .seconds(1))
    let report = await shutdown.value
    #expect(report.unfinishedTasks.map { $0.work.hasPrefix("HostCallTests.swift:") } == [true])
    gate.open()
    #expect(await host.shutdown().unfinishedTasks.isEmpty)
    #expect(journal.lines == ["begun", "cancelled: true"])
  }
}

@Suite("The end of a host")
struct HostEndTests {
  private let journal = Journal()

  @Test("is awaited, says that the host was shut down, and has come when its handlers are called")
  func shutDown() async throws {
    let holder = Shared<TreeHost<Scripted.RootRouter>?>(nil)
    var configuration = journal.configuration
    configuration.onEnd = { journal.write("onEnd: \($0), active: \(holder.value?.isActive == true)") }
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    holder.value = host
    #expect(host.isActive)
    host.onEnd { _ in journal.write("host.onEnd") }
    async let end = host.ended
    await host.shutdown()
    #expect(await end.description == "it was shut down")
    #expect(journal.lines.suffix(2) == ["onEnd: it was shut down, active: false", "host.onEnd"])
    host.onEnd { journal.write("too late: \($0)") }
    #expect(journal.lines.last == "too late: it was shut down")
    holder.value = nil
  }

  @Test("is requested by a RIB in each callback and in its work, and releases the tree", arguments: 0..<4)
  func requested(place: Int) async throws {
    let host = await TreeHost(configuration: journal.configuration) { Scripted.RootRouter() }
    try await host.perform { root in
      root.interactor.onDeinit = { journal.write("released") }
      let child = Scripted.ChildRouter()
      switch place {
      case 0: child.interactor.onActive = { $0.endTree() }
      case 1: child.onLoad = { $0.endTree() }
      case 2: child.interactor.onActive = { interactor in interactor.task { interactor.endTree() } }
      default: child.interactor.onResign = { $0.endTree() }
      }
      root.attachChild(child)
      if place == 3 { root.detachChild(child) }
    }
    #expect(await host.ended.description == "Root/Child ended it")
    await journal.wait(for: "released")
    await #expect(throws: TreeEnded.self) { try await host.perform { _ in } }
    #expect(await host.shutdown().unfinishedTasks.isEmpty)
  }
}
