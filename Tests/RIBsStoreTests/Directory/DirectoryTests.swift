// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A directory without a store", .tearsDown)
struct DirectoryTests {
  private let bank = Bank()
  private let directory: TreeDirectory<Int, AccountRouter>

  init() { directory = bank.directory() }

  @Test("builds one tree of an ID, however many calls come at once")
  func singleFlight() async throws {
    let balances = Shared<[Int]>([])
    try await atOnce(0..<1_000) { _ in
      let balance = try await directory.deposit(on: 7)
      balances.change { $0.append(balance) }
    }
    #expect(balances.value.sorted() == Array(1...1_000))
    #expect(bank.journal.lines == ["build 7", "7 was opened"])
    #expect((directory.ids, directory.count) == ([7], 1))
    await directory.shutdown()
    #expect(directory.count == 0)
  }

  @Test("passes the error of a builder to the calls that wait, and builds again for the next")
  func failedBuild() async throws {
    bank.builds.value = 1
    await #expect(throws: AccountInteractor.Failed.self) { try await directory.perform(on: 1) { _ in } }
    #expect(directory.count == 0)
    #expect(try await directory.deposit(3, on: 1) == 3)
    #expect(bank.journal.lines == ["build 1", "1 has failed: Failed()", "build 1", "1 was opened"])
  }

  @Test("keeps opening a tree when a call that waits for it is cancelled, and does not count that call as a use")
  func cancelledWaiter() async throws {
    let (gate, clock, builds) = (Gate(), TestClock(), Journal())
    let directory = bank.directory(clock: clock, idleAfter: .seconds(8)) { _ in
      builds.write("building")
      await gate.pass()
    }
    let cancelled = Task { try await directory.perform(on: 1) { _ in } }
    let patient = Task { try await directory.deposit(2, on: 1) }
    await builds.wait(for: "building")
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    gate.open()
    #expect(try await patient.value == 2)
    #expect(builds.lines == ["building"] && bank.journal.lines == ["build 1", "1 was opened"])
    directory.start()
    // A pause before the next save may sleep on the clock too, so that a number of steps is no number of rounds.
    await clock.advance { bank.journal.lines.contains("1 was idle and was ended") }
  }

  @Test("ends trees without calls after their time, but none with bound work or with readers of its values")
  func idle() async throws {
    let clock = TestClock()
    let directory = bank.directory(clock: clock, idleAfter: .seconds(8))
    for id in 1...3 { try await directory.perform(on: id) { _ in } }
    try await directory.perform(on: 2) { $0.interactor.begin(1) }
    let host = try await directory.host(for: 3)
    let values = host.values { $0.interactor.isActiveStream }
    let reader = Task { for await isActive in values { bank.journal.write("read \(isActive)") } }
    await bank.journal.wait(for: "read true")
    directory.start()
    await clock.advance { bank.journal.lines.contains("1 was idle and was ended") }
    // Each round tries to end the others, which are closing meanwhile.
    while directory.ids.sorted() != [2, 3] { await Task.yield() }
    reader.cancel()
    await reader.value
    bank.gate.open()
    // Otherwise the clock might have moved before the work and the reader have ended.
    while try await directory.perform(on: 2, { !$0.interactor.savedState.transfers.isEmpty }) { await Task.yield() }
    try await directory.perform(on: 3) { _ in }
    await clock.advance {
      ["2", "3"].allSatisfy { bank.journal.lines.contains("\($0) was idle and was ended") }
    }
    #expect(directory.count == 0 && !host.isActive)
    #expect(try await directory.deposit(on: 1) == 1)
  }

  @Test("ends the tree that was not used for the longest time when the limit is reached")
  func limit() async throws {
    let directory = bank.directory(limit: 3)
    for id in [1, 2, 3, 1, 4, 2] { try await directory.perform(on: id) { _ in } }
    #expect(
      bank.journal.lines.filter { $0.contains("ended") } == ["2 was idle and was ended", "3 was idle and was ended"])
    #expect(directory.ids.sorted() == [1, 2, 4])
  }

  @Test("ends an idle tree when the limit is reached, also behind many with work, and refuses calls if all have work")
  func full() async throws {
    let directory = bank.directory(limit: 100)
    for id in 0..<99 { try await directory.perform(on: id) { $0.interactor.begin(id) } }
    try await directory.perform(on: 99) { _ in }
    try await directory.perform(on: 100) { _ in }
    #expect(!directory.ids.contains(99))
    try await directory.perform(on: 100) { $0.interactor.begin(100) }
    await #expect(throws: DirectoryFull(limit: 100)) { try await directory.perform(on: 101) { _ in } }
    #expect(bank.journal.lines.last == "\(DirectoryEvent<Int>.full)")
    bank.gate.open()
    _ = try await directory.host(for: 1).perform { root in
      while root.interactor.isRunning("transfer 1") { await Task.yield() }
    }
    try await directory.perform(on: 101) { _ in }
    #expect(directory.count == 100)
  }

  @Test("refuses no call as long as no more calls than the limit run at the same time", arguments: [1, 2, 4, 32])
  func manyOpenings(_ limit: Int) async throws {
    let directory = TreeDirectory(
      configuration: DirectoryConfiguration(limit: limit), tree: { _ in TreeConfiguration(leakDetection: .off) },
      build: { (_: Int) in Router(interactor: Interactor()) })
    let count = Thoroughness.count(usual: 1_000, share: 4_000, whole: 4_000)
    try await atOnce(0..<limit) { first in
      for id in stride(from: first, to: count, by: limit) { try await directory.perform(on: id) { _ in } }
    }
    #expect(directory.count <= limit)
    await directory.shutdown()
  }

  @Test("forgets a tree that ends itself, and builds a new one for the next call")
  func ending() async throws {
    try await directory.perform(on: 1) {
      _ = $0.interactor.deposit(5)
      $0.interactor.close()
    }
    await bank.journal.wait(for: "1 has ended: 1:Account ended it")
    #expect(directory.count == 0)
    #expect(try await directory.deposit(on: 1) == 1)
    #expect(await directory.shutdown().description == "1 tree has ended.")
  }

  @Test("builds a tree that has failed anew for the next call")
  func failing() async throws {
    try await directory.deposit(5, on: 1)
    try await directory.perform(on: 1) { $0.interactor.fail(AccountInteractor.Failed()) }
    while directory.count > 0 { await Task.yield() }
    #expect(try await directory.deposit(on: 1) == 1)
    #expect(directory.quarantined.isEmpty)
  }

  protocol RootRouting: LaunchRouting {}

  final class LaunchedRouter: LaunchRouter<AccountInteractor, any ViewControllable>, RootRouting {}

  final class View: ViewControllable {}

  /// A builder as the templates write it.
  struct RootBuilder: Sendable {
    func build(_ bank: Bank) -> any RootRouting {
      LaunchedRouter(interactor: AccountInteractor(bank), viewController: View())
    }
  }

  @Test("takes builders that return the router as a protocol, asynchronous ones too")
  func existentialRoots() async throws {
    let directory = TreeDirectory { (id: Int) in RootBuilder().build(bank) }
    #expect(try await directory.perform(on: 1) { $0.interactable.isActive })
    await directory.shutdown()
    let asynchronous = TreeDirectory { (id: Int) async -> any LaunchRouting in
      LaunchedRouter(interactor: AccountInteractor(bank), viewController: View())
    }
    #expect(try await asynchronous.perform(on: 1) { $0.interactable.isActive })
    await asynchronous.shutdown()
    let host = await TreeHost { () async -> any LaunchRouting in
      LaunchedRouter(interactor: AccountInteractor(bank), viewController: View())
    }
    #expect(try await host.perform { $0.interactable.isActive })
    await host.shutdown()
  }

  @Test("can be shut down by the work of one of its trees")
  func shutdownFromInside() async throws {
    try await directory.perform(on: 1) { root in
      root.interactor.task("end", overlap: .ignoreWhileRunning) {
        await directory.shutdown()
        bank.journal.write("ended")
      }
    }
    await bank.journal.wait(for: "ended")
    await bank.journal.wait(for: "1 has ended: it was shut down")
  }

  @Test("removes a tree and its record, whether it is awake or not", arguments: [false, true])
  func removal(isStored: Bool) async throws {
    let store = MemoryStore()
    let directory = bank.directory(in: isStored ? store : nil, limit: 1)
    for id in 1...2 { try await directory.deposit(5, on: id) }
    for id in 1...3 { try await directory.remove(id) }
    #expect(directory.count == 0 && store.records.isEmpty)
    #expect(try await directory.deposit(on: 1) == 1)
    #expect(
      bank.journal.lines.filter { $0.contains("removed") } == ["1 was removed", "2 was removed", "3 was removed"])
  }
}
