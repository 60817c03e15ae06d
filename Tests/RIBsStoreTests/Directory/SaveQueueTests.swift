// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A directory with a record that can't be written", .timeLimit(.minutes(15)), .tearsDown)
struct SaveQueueTests {
  private static let key = TreeKey(kind: "account", id: "1")

  /// A store that can't write the record of tree 1, until it is repaired.
  private struct Broken {
    let isRepaired = Shared(false)
    let clock = TestClock()
    let store: FaultyStore

    init(_ fault: @escaping @Sendable (FaultyStore.Call) -> FaultyStore.Fault? = { _ in nil }) {
      store = FaultyStore(MemoryStore(clock: clock)) { [isRepaired] call in
        guard call.function == .save else { return nil }
        if let fault = fault(call) { return fault }
        return call.keys.contains(SaveQueueTests.key) && !isRepaired.value ? .failsBeforeEffect : nil
      }
    }

    /// The saves of the record, with the keys that shared them.
    var attempts: [[TreeKey]] {
      store.calls.filter { $0.function == .save && $0.keys.contains(SaveQueueTests.key) }.map(\.keys)
    }
  }

  @Test("saves other trees without a pause, and repeats that record alone, with pauses of its own")
  func others() async throws {
    let (bank, broken) = (Bank(), Broken())
    let directory = bank.directory(in: broken.store, clock: broken.clock)
    let call = Task { try await directory.deposit(on: 1) }
    await broken.clock.waitForSleeper()
    // No time passes.
    for balance in 1...50 {
      for id in 2...3 { #expect(try await directory.deposit(on: id) == balance) }
    }
    #expect(broken.attempts == [[Self.key]])
    for (attempt, pause) in [100, 200, 400, 800].enumerated() {
      #expect(broken.attempts.count == attempt + 1)
      broken.clock.advance(by: .milliseconds(pause - 1))
      #expect(try await directory.deposit(on: 2) == 51 + attempt)
      #expect(broken.attempts.count == attempt + 1)
      if attempt == 3 { broken.isRepaired.value = true }
      broken.clock.advance(by: .milliseconds(1))
      if attempt < 3 { await broken.clock.waitForSleeper() }
    }
    #expect(try await call.value == 1)
    #expect(broken.attempts.count >= 5)
    #expect(broken.attempts.allSatisfy { $0 == [Self.key] })
    let events = bank.journal.lines.filter { $0.contains("the store") }
    #expect(events.count == 2 && events.last == "\(DirectoryEvent<Int>.storeRecovered)")
  }

  private struct Unwritable: TreeStoreError { let isOfTree = true }

  /// A store whose failures with the record of tree 1 are those of the tree.
  private struct JudgingStore: ForwardingStore {
    let base: any TreeStore

    func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
      do { return try await base.save(records) } catch {
        if records.map(\.key) == [SaveQueueTests.key] { throw Unwritable() }
        throw error
      }
    }
  }

  @Test("reports that the store fails and recovers, also while it is the only one that can't be written")
  func outage() async throws {
    let (bank, isAway) = (Bank(), Shared(false))
    let broken = Broken { _ in isAway.value ? .failsBeforeEffect : nil }
    let directory = bank.directory(in: JudgingStore(base: broken.store), clock: broken.clock)
    func reports() -> [Bool] {
      bank.journal.lines.filter { $0.contains("the store") }.map { $0 == "\(DirectoryEvent<Int>.storeRecovered)" }
    }
    let first = Task { try await directory.deposit(on: 1) }
    while reports() != [false] { await Task.yield() }
    isAway.value = true
    let second = Task { try await directory.deposit(on: 2) }
    while reports() != [false, false] { await Task.yield() }
    isAway.value = false
    await broken.clock.advance(by: .milliseconds(100)) { reports() == [false, false, true] }
    #expect(try await second.value == 1)
    broken.isRepaired.value = true
    await broken.clock.advance(by: .milliseconds(100)) { reports() == [false, false, true, true] }
    #expect(try await first.value == 1)
  }

  @Test("finds the record in a commit of many by dividing it, and saves the others without a pause")
  func dividing() async throws {
    let bank = Bank()
    let broken = Broken { $0.numberOfFunction == 1 ? .waits : nil }
    let directory = bank.directory(in: broken.store, clock: broken.clock)
    // Their saves share a commit after this one, that of the record first: the number of attempts depends on its place.
    let first = Task { try await directory.deposit(on: 0) }
    await broken.store.waitForWaitingCall()
    for id in 1...100 {
      try await directory.deposit(on: id, answering: .atOnce)
      while directory.counts.unsaved <= id { await Task.yield() }
    }
    let call = Task { try await directory.deposit(on: 1) }
    let others = (2...100).map { id in Task { try await directory.deposit(on: id) } }
    broken.store.resume()
    for other in others { #expect(try await other.value == 2) }
    #expect(try await first.value == 1)
    await broken.clock.waitForSleeper()
    #expect(broken.attempts.count <= 9)
    #expect(broken.attempts.last == [Self.key])
    broken.isRepaired.value = true
    broken.clock.advance(by: .milliseconds(100))
    #expect(try await call.value == 2)
  }

  @Test("pauses for all trees when record after record fails, and saves all when the store is back")
  func storeDown() async throws {
    let (bank, clock, isDown) = (Bank(), TestClock(), Shared(false))
    let store = FaultyStore(MemoryStore(clock: clock)) { call in
      call.function == .save && isDown.value ? .failsBeforeEffect : nil
    }
    let directory = bank.directory(in: store, clock: clock)
    for id in 0..<300 { try await directory.deposit(on: id) }
    isDown.value = true
    let before = store.calls.count
    let calls = (0..<300).map { id in Task { try await directory.deposit(on: id) } }
    // 64 records alone, and the queue of all others.
    while clock.deadlines.count < 65 { await Task.yield() }
    #expect(store.calls.count - before < 200)
    isDown.value = false
    clock.advance(by: .milliseconds(100))
    for call in calls { #expect(try await call.value == 2) }
    #expect(store.calls.count - before < 300)
  }

  @Test("saves a large document alone, beside the commits of the others")
  func largeDocument() async throws {
    let (bank, isHeld) = (Bank(), Shared(false))
    let broken = Broken { $0.keys.contains(SaveQueueTests.key) && isHeld.value ? .waits : nil }
    broken.isRepaired.value = true
    let directory = bank.directory(in: broken.store, clock: broken.clock)
    try await directory.deposit(on: 1)
    let before = broken.attempts.count
    isHeld.value = true
    let large = Task {
      try await directory.perform(on: 1) { $0.interactor.savedState.note = String(repeating: "x", count: 2 << 20) }
    }
    await broken.store.waitForWaitingCall()
    for id in 2...10 { #expect(try await directory.deposit(on: id) == 1) }
    #expect(broken.attempts.dropFirst(before) == [[Self.key]])
    isHeld.value = false
    broken.store.resume()
    try await large.value
  }

  @Test("repeats a large document that can't be written for at most a twentieth of the time")
  func largeDocumentThatFails() async throws {
    let (bank, broken) = (Bank(), Broken())
    let store = FaultyStore(broken.store, clock: broken.clock) { call in
      call.function == .save && !broken.isRepaired.value ? .isLate(by: .seconds(1)) : nil
    }
    let directory = bank.directory(in: store, clock: broken.clock)
    let large = Task {
      try await directory.perform(on: 1) { $0.interactor.savedState.note = String(repeating: "x", count: 2 << 20) }
    }
    for attempt in 1...3 {
      await broken.clock.waitForSleeper()
      broken.clock.advance(by: .seconds(1))
      await broken.clock.waitForSleeper()
      #expect(broken.attempts.count == attempt)
      broken.clock.advance(by: .milliseconds(18_999))
      #expect(broken.clock.deadlines.count == 1)
      broken.clock.advance(by: .milliseconds(1))
    }
    await broken.clock.waitForSleeper()
    broken.isRepaired.value = true
    broken.clock.advance(by: .seconds(1))
    try await large.value
  }
}
