// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("A tree of a directory that does not answer", .tearsDown)
struct BusyTreeTests {
  private let bank = Bank()
  private let clock = TestClock()

  private func makeDirectory(_ watchdog: TurnWatchdog? = nil) -> TreeDirectory<Int, AccountRouter> {
    bank.directory(in: MemoryStore(clock: clock), clock: clock, configure: { $0.watchdog = watchdog })
  }

  private func advance(by duration: Duration) async {
    await clock.waitForSleeper()
    clock.advance(by: duration)
  }

  @Test("is removed when it answers, and the removal throws in time and names what it runs")
  func removal() async throws {
    let directory = makeDirectory()
    let blockade = try await Blockade(of: directory)
    let removal = Task { try await directory.remove(1) }
    await advance(by: .seconds(30))
    let error = await #expect(throws: TreeUnanswered.self) { try await removal.value }
    #expect(error?.timeout == .seconds(30) && error?.hasBegun == false)
    #expect((error?.tree?.busy?.root, error?.tree?.busy?.activity) == ("1:Account", blockade.activity))
    // A call waits for the end of the removal, and names the same.
    let call = Task { [bank] in
      try await directory.perform(on: 1, timeout: .seconds(5)) { _ in bank.journal.write("made") }
    }
    await advance(by: .seconds(5))
    let unmade = await #expect(throws: TreeUnanswered.self) { try await call.value }
    #expect(unmade?.tree?.busy?.activity == blockade.activity)
    blockade.end()
    // Its result is saved before it is answered, and the tree has been removed meanwhile.
    _ = await blockade.call.result
    await bank.journal.wait(for: "1 was removed")
    await directory.shutdown()
    #expect(bank.journal.lines == ["build 1", "1 was opened", "1 was removed"])
  }

  @Test("throws in time, and the call is never made", arguments: [false, true])
  func call(isExisting: Bool) async throws {
    let directory = makeDirectory()
    let blockade = try await Blockade(of: directory)
    let call = Task { [bank] in
      if isExisting {
        _ = try await directory.perform(onExisting: 1, timeout: .seconds(5)) { _ in bank.journal.write("made") }
      } else {
        try await directory.perform(on: 1, timeout: .seconds(5)) { _ in bank.journal.write("made") }
      }
    }
    await advance(by: .seconds(5))
    let error = await #expect(throws: TreeUnanswered.self) { try await call.value }
    #expect(error?.hasBegun == false && error?.tree?.busy?.activity == blockade.activity)
    blockade.end()
    try await blockade.call.value
    // After the abandoned call, whose turn would have come before.
    try await directory.perform(on: 1) { _ in }
    await directory.shutdown()
    #expect(!bank.journal.lines.contains("made"))
  }

  @Test("says that a call had begun which has not ended in time")
  func begun() async throws {
    let (directory, journal, blockade) = (makeDirectory(), bank.journal, DispatchSemaphore(value: 0))
    try await directory.perform(on: 1) { _ in }
    // The blocked turn has a thread of its own.
    let call = Task(executorPreference: OwnThread()) {
      try await directory.perform(on: 1, timeout: .seconds(5)) { _ in
        journal.write("begun")
        blockade.wait()
        journal.write("ended")
      }
    }
    await journal.wait(for: "begun")
    await advance(by: .seconds(5))
    #expect(await #expect(throws: TreeUnanswered.self) { try await call.value }?.hasBegun == true)
    blockade.signal()
    await journal.wait(for: "ended")
  }

  /// A store whose saves wait for a gate.
  private struct HeldStore: ForwardingStore {
    let base: any TreeStore
    let saving = Gate()
    let gate = Gate()

    func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
      saving.open()
      await gate.pass()
      return try await base.save(records)
    }
  }

  @Test("says that the store has not answered, if the closure of a call has returned or the tree has ended")
  func store() async throws {
    let store = HeldStore(base: MemoryStore(clock: clock))
    let directory = bank.directory(in: store, clock: clock)
    let call = Task { try await directory.perform(on: 1, timeout: .seconds(5)) { $0.interactor.deposit(3) } }
    await store.saving.pass()
    let host = try #require(directory.host(ifAwake: 1))
    await advance(by: .seconds(5))
    let unsaved = await #expect(throws: TreeUnanswered.self) { try await call.value }
    #expect(unsaved?.reason == .store && unsaved?.hasBegun == true && unsaved?.tree == nil)
    #expect(unsaved?.description.contains("the store has not answered") == true)
    let removal = Task { try await directory.remove(1) }
    _ = await host.ended
    await advance(by: .seconds(30))
    let unremoved = await #expect(throws: TreeUnanswered.self) { try await removal.value }
    #expect(unremoved?.reason == .ending && unremoved?.hasBegun == false && unremoved?.tree == nil)
    #expect(unremoved?.description.contains("It has ended") == true)
    store.gate.open()
    await bank.journal.wait(for: "1 was removed")
  }

  @Test("says that it is being opened")
  func opening() async throws {
    let (begun, gate) = (Gate(), Gate())
    let directory = bank.directory(
      clock: clock,
      opening: { _ in
        begun.open()
        await gate.pass()
      })
    let call = Task { try await directory.perform(on: 1, timeout: .seconds(5)) { _ in } }
    await begun.pass()
    await advance(by: .seconds(5))
    let error = await #expect(throws: TreeUnanswered.self) { try await call.value }
    #expect(error?.reason == .opening && error?.hasBegun == false)
    #expect(error?.description.contains("It is being opened") == true)
    gate.open()
  }

  @Test("is watched by the watchdog of the directory")
  func watched() async throws {
    let exceeded = Gate()
    let watchdog = TurnWatchdog(limit: .milliseconds(10)) { [bank] report in
      bank.journal.write("\(report.kind): \(report.turn.root)")
      if report.kind == .exceedsLimit { exceeded.open() }
    }
    let directory = makeDirectory(watchdog)
    let blockade = try await Blockade(of: directory)
    await exceeded.pass()
    blockade.end()
    try await blockade.call.value
    await bank.journal.wait(for: "hasEnded: 1:Account")
  }
}
