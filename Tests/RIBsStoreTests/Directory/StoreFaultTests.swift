// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A directory whose store fails", .tearsDown)
struct StoreFaultTests {
  /// The answers of a scenario.
  struct Outcome: Sendable {
    var deposits: [Int: Int] = [:]
    /// Deposits whose calls have thrown: they may have been saved or not.
    var uncertain: [Int: Int] = [:]
    var errors: [String] = []
  }

  @Test(
    "passes the error of a store that is away since the start to its callers, loses no lease, and serves when it is back"
  )
  func awayAtTheStart() async throws {
    let (bank, clock) = (Bank(), TestClock())
    let isAway = Locked(true)
    let store = FaultyStore(MemoryStore(clock: clock)) { _ in isAway.withLock { $0 } ? .failsBeforeEffect : nil }
    let directory = bank.directory(in: store, clock: clock)
    directory.start()
    for _ in 0..<30 {
      await clock.waitForSleeper()
      await #expect(throws: StoreFault.self) { try await directory.deposit(on: 1) }
      clock.advance(by: .seconds(1))
    }
    // A call shares the renewal that is under way, and its failure.
    await clock.waitForSleeper()
    #expect(!bank.journal.lines.contains("\(DirectoryEvent<Int>.leaseLost)"))
    isAway.withLock { $0 = false }
    #expect(try await directory.deposit(on: 1) == 1)
  }

  /// Opens trees, changes them, lets the limit end some, restores others, ends one, removes nothing, and shuts down.
  private func run(_ store: FaultyStore, _ bank: Bank) async -> Outcome {
    var outcome = Outcome()
    let directory = bank.directory(
      in: store, clock: ContinuousClock(), limit: 2,
      configure: { configuration in
        configuration.interval = .milliseconds(1)
        configuration.backoff = .exponential(from: .milliseconds(1), to: .milliseconds(2))
      })
    let running = Task { await directory.run() }
    for (round, id) in [1, 2, 3, 1, 2, 2, 3].enumerated() {
      let amount = 1 << round
      do {
        try await directory.deposit(amount, on: id)
        outcome.deposits[id, default: 0] += amount
      } catch {
        outcome.uncertain[id, default: 0] += amount
        outcome.errors.append("\(type(of: error))")
      }
    }
    await running.end()
    await directory.shutdown()
    return outcome
  }

  /// Each amount is a power of two, so that the sum tells which were saved.
  private func check(_ outcome: Outcome, _ store: MemoryStore, _ name: Comment) async {
    let bank = Bank()
    // A tree whose start was noted twice waits until the process has lived for a second.
    let directory = bank.directory(in: store, clock: ContinuousClock())
    for id in 1...3 {
      let (answered, uncertain) = (outcome.deposits[id, default: 0], outcome.uncertain[id, default: 0])
      do {
        let balance = try await directory.balance(of: id)
        #expect(balance & answered == answered, name)
        #expect(balance & ~(answered | uncertain) == 0, name)
      } catch {
        Issue.record("\(name): \(id) can't be opened: \(error)")
      }
    }
    await directory.shutdown()
  }

  @Test(
    "loses no answered call, whichever call of the store fails before its effect, after it, late, or is refused",
    arguments: [FaultyStore.Fault.failsBeforeEffect, .failsAfterEffect, .isLate(by: .milliseconds(3)), .isRefused])
  func oneFault(_ fault: FaultyStore.Fault) async throws {
    let healthy = FaultyStore(MemoryStore())
    let outcome = await run(healthy, Bank())
    #expect(outcome.errors.isEmpty)
    #expect(outcome.deposits == [1: 9, 2: 50, 3: 68])
    let calls = healthy.calls.count
    #expect(calls > 20)
    for number in 1...calls {
      let (clock, bank) = (TestClock(), Bank())
      let memory = MemoryStore(clock: clock)
      let store = FaultyStore(memory) { $0.number == number ? fault : nil }
      let outcome = await run(store, bank)
      let failed = store.calls.dropFirst(number - 1).first
      let name: Comment = "\(fault) at \(failed.map { "\($0)" } ?? "no call")"
      // The shutdown may have failed to end the lease.
      clock.advance(by: .seconds(60))
      await check(outcome, memory, name)
      // Only a failing claim, and a refusal, are the callers' business: saves are repeated.
      let isRepeated = failed?.function == .save && fault != .isRefused
      if isRepeated || fault == .isLate(by: .milliseconds(3)) {
        #expect(outcome.errors.isEmpty, name)
      } else {
        #expect(Set(outcome.errors).isSubset(of: ["StoreFault", "TreeElsewhere"]), name)
      }
    }
  }

  @Test("loses no answered call while one call in five fails", arguments: 1...20)
  func randomFaults(_ seed: UInt64) async throws {
    let clock = TestClock()
    let memory = MemoryStore(clock: clock)
    let outcome = await run(FaultyStore(memory, seed: seed, rate: 0.2), Bank())
    clock.advance(by: .seconds(60))
    await check(outcome, memory, "seed \(seed)")
  }
}
