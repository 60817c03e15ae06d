import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("Shutting down many hosts at once", .patient)
struct ManyShutdownsTests {
  @Test("ends all trees, and reports in the order of the hosts")
  func ends() async throws {
    let journal = Journal()
    var hosts: [TreeHost<Scripted.RootRouter>] = []
    for number in 0..<100 {
      let host = await TreeHost { [journal] in
        let root = Scripted.RootRouter()
        root.interactor.onResign = { _ in journal.write("\(number) resigns") }
        return root
      }
      hosts.append(host)
    }
    let reports = await hosts.shutdown(timeout: .seconds(60))
    #expect(reports.count == 100)
    #expect(reports.flatMap(\.unfinishedTasks).isEmpty)
    #expect(Set(journal.lines).count == 100)
    for host in hosts { await #expect(throws: TreeEnded.self) { try await host.perform { _ in } } }
  }

  @Test("returns when the deadline is over, and names what is stuck, also in a task that is cancelled")
  func stuck() async throws {
    let gate = Gate()
    let journal = Journal()
    let clock = TestClock()
    let configuration = TreeConfiguration(clock: clock, leakDetection: .off)
    let stuck = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let plain = await TreeHost(configuration: configuration) { Scripted.ChildRouter() }
    try await stuck.perform { [journal] root in
      _ = root.interactor.task("upload", overlap: .enqueue) { await gate.passStubbornly(journal) }
    }
    await journal.wait(for: "begun")
    let hosts = [AnyTreeHost(plain), AnyTreeHost(stuck)]
    let waiting = Task { await hosts.shutdown(timeout: .seconds(5)) }
    waiting.cancel()
    await clock.waitForSleepers(hosts.count)
    await #expect(throws: TreeEnded.self) { try await plain.perform { _ in } }
    clock.advance(by: .seconds(5))
    let reports = await waiting.value
    #expect(reports.map(\.unfinishedTasks.count) == [0, 1])
    #expect(reports[1].unfinishedTasks[0].path.description == "Root")
    #expect(reports[1].unfinishedTasks[0].work.hasPrefix("upload (ManyShutdownsTests.swift:"))
    gate.open()
    #expect(await hosts.shutdown().flatMap(\.unfinishedTasks).isEmpty)
  }

  @Test(
    "names what is stuck in each tree of those that share a timer, and reports the others before",
    .timeLimit(.minutes(15)))
  func sharedTimer() async throws {
    let (gate, journal, progress) = (Gate(), Journal(), Journal())
    var hosts: [TreeHost<Scripted.RootRouter>] = []
    for _ in 0..<20 { hosts.append(await TreeHost { Scripted.RootRouter() }) }
    for index in [3, 17] {
      try await hosts[index].perform { [journal] root in
        _ = root.interactor.task("upload \(index)", overlap: .enqueue) { await gate.passStubbornly(journal) }
      }
    }
    while journal.lines.count < 2 { await Task.yield() }
    let reports = await hosts.shutdown(timeout: .milliseconds(200)) { progress.write("\($0)") }
    #expect(reports.indices.filter { !reports[$0].unfinishedTasks.isEmpty } == [3, 17])
    #expect(reports[3].unfinishedTasks[0].work.hasPrefix("upload 3 ("))
    #expect(reports[17].unfinishedTasks[0].work.hasPrefix("upload 17 ("))
    #expect(progress.lines == (1...20).map { "ended \($0) of 20" })
    gate.open()
    #expect(await hosts.shutdown().flatMap(\.unfinishedTasks).isEmpty)
  }

  @Test("does nothing for no hosts")
  func none() async {
    #expect(await [AnyTreeHost]().shutdown().isEmpty)
  }

  @Test("reports its progress after each host")
  func progress() async {
    let journal = Journal()
    var hosts: [TreeHost<Scripted.RootRouter>] = []
    for _ in 1...3 { hosts.append(await TreeHost { Scripted.RootRouter() }) }
    await hosts.shutdown(timeout: .seconds(5)) { journal.write("\($0)") }
    #expect(journal.lines == ["ended 1 of 3", "ended 2 of 3", "ended 3 of 3"])
  }
}
