// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("A tree that does not end, at the limit of a directory", .timeLimit(.minutes(15)), .tearsDown)
struct StuckTreesTests {
  private let bank = Bank()
  private let clock = TestClock()
  /// What happens to each save of a tree.
  private let faults = Shared<[String: FaultyStore.Fault]>([:])
  private let store: FaultyStore

  init() {
    store = FaultyStore(MemoryStore(clock: clock)) { [faults] call in
      guard call.function == .save else { return nil }
      return call.keys.lazy.compactMap { faults.value[$0.id] }.first
    }
    // So that the clock can be moved, whatever waits for it.
    let ticker = Task { [clock] in while !Task.isCancelled { try? await clock.sleep(for: .milliseconds(100)) } }
    atEnd { await ticker.end() }
  }

  /// A directory for two trees, with an idle tree 1.
  private func makeDirectory() async throws -> TreeDirectory<Int, AccountRouter> {
    let directory = bank.directory(in: store, clock: clock, limit: 2)
    try await directory.deposit(on: 1)
    atEnd { [faults, store, clock] in
      faults.value = [:]
      store.resume()
      // Saves are repeated.
      let time = Task {
        while !Task.isCancelled {
          clock.advance(by: .milliseconds(100))
          await Task.yield()
        }
      }
      await directory.shutdown()
      await time.end()
    }
    return directory
  }

  private func pass(_ seconds: Int) async { await clock.pass(.seconds(seconds), by: .milliseconds(100)) }

  private func isDone(_ line: String) -> Bool { bank.journal.lines.contains(line) }

  /// Moves the clock forward until something is done.
  private func advance(until line: String) async {
    await clock.advance(by: .milliseconds(100), yields: 1_000) { isDone(line) }
  }

  /// Begins to deposit in a tree, and writes when it has answered.
  private func deposit(on id: Int, in directory: TreeDirectory<Int, AccountRouter>) {
    Task { [bank] in
      // The clock may be faster than the machine. So a refused call is repeated.
      while true {
        do { try await directory.deposit(on: id) } catch is DirectoryFull {
          bank.journal.write("\(id) was refused")
          continue
        }
        return bank.journal.write("\(id) has answered")
      }
    }
  }

  /// Blocks the actor of tree 1 without a call of the directory.
  ///
  /// - Returns: a closure that ends the blockade, which the end of the test does as well.
  private func block(_ directory: TreeDirectory<Int, AccountRouter>) async throws -> @Sendable () -> Void {
    let (blocked, end) = (Gate(), DispatchSemaphore(value: 0))
    let host = try await directory.host(for: 1)
    let call = Task(executorPreference: OwnThread()) {
      try await host.perform { _ in
        blocked.open()
        end.wait()
      }
    }
    atEnd {
      end.signal()
      _ = await call.result
    }
    await blocked.pass()
    return { end.signal() }
  }

  @Test("gives its place to no call, which gets that of another tree", arguments: [false, true])
  func otherTree(isBlocked: Bool) async throws {
    let directory = try await makeDirectory()
    let end: @Sendable () -> Void
    if isBlocked {
      end = try await block(directory)
    } else {
      faults.change { $0["1"] = .failsBeforeEffect }
      end = { [faults] in faults.value = [:] }
    }
    try await directory.deposit(on: 2)
    deposit(on: 3, in: directory)
    await advance(until: "3 has answered")
    #expect(isDone("2 was idle and was ended") && !isDone("1 was idle and was ended"))
    // Later calls don't wait for it.
    let time = clock.now
    deposit(on: 4, in: directory)
    await bank.journal.wait(for: "4 has answered")
    #expect(clock.now == time)
    end()
    await advance(until: "1 was idle and was ended")
  }

  @Test("does not hold up a call when another tree ends")
  func nextEnding() async throws {
    let directory = try await makeDirectory()
    try await directory.deposit(on: 2)
    faults.value = ["1": .failsBeforeEffect, "2": .waits]
    deposit(on: 3, in: directory)
    while store.waitingCount == 0 { await pass(1) }
    // Both trees are being ended. It waits for any of them.
    deposit(on: 4, in: directory)
    for _ in 0..<1_000 { await Task.yield() }
    let time = clock.now
    faults.value = ["1": .failsBeforeEffect]
    store.resume()
    while !isDone("3 has answered"), !isDone("4 has answered") { await Task.yield() }
    #expect(clock.now == time)
  }

  @Test("makes the directory refuse calls while all others are in use, also if it is removed")
  func refusal() async throws {
    let directory = try await makeDirectory()
    try await directory.perform(on: 2) { $0.interactor.begin(4) }
    let end = try await block(directory)
    let removal = Task { try await directory.remove(1, timeout: nil) }
    while directory.ids != [2] { await Task.yield() }
    deposit(on: 3, in: directory)
    await advance(until: "3 was refused")
    #expect(isDone("\(DirectoryEvent<Int>.full)"))
    end()
    try await removal.value
    await advance(until: "3 has answered")
    bank.gate.open()
  }

  @Test("is named by the shutdown of the directory, also if it was being ended before", arguments: [false, true])
  func shutdown(isEnding: Bool) async throws {
    let directory = try await makeDirectory()
    let end = try await block(directory)
    let removal = isEnding ? Task { try await directory.remove(1, timeout: nil) } : nil
    while isEnding, directory.ids != [] { await Task.yield() }
    let report = await shutDown(directory)
    #expect(report.ended == 0 && report.unsaved == [1])
    #expect(report.unfinished[1]?.busy?.activity.hasPrefix("perform") == true)
    end()
    _ = await removal?.result
  }

  @Test("is not said to run code by the shutdown of the directory if it waits for the store")
  func shutdownWithoutStore() async throws {
    let directory = try await makeDirectory()
    faults.change { $0["1"] = .waits }
    let removal = Task { try await directory.remove(1, timeout: nil) }
    await store.waitForWaitingCall()
    let report = await shutDown(directory)
    #expect(report.unsaved == [1] && report.unfinished.isEmpty, "\(report)")
    store.resume()
    _ = await removal.result
  }

  private func shutDown(_ directory: TreeDirectory<Int, AccountRouter>) async -> DirectoryReport<Int> {
    let shutdown = Task { [bank] in
      defer { bank.journal.write("shut down") }
      return await directory.shutdown(timeout: .seconds(5))
    }
    while directory.ids != [] { await Task.yield() }
    await advance(until: "shut down")
    return await shutdown.value
  }

  @Test("delays no recovery of other trees, and not the end of the rounds")
  func recovery() async throws {
    try await Bank.saveWork(of: 3..<4, in: store)
    let directory = try await makeDirectory()
    try await directory.perform(on: 2) { $0.interactor.begin(4) }
    faults.change { $0["1"] = .failsBeforeEffect }
    let running = directory.start()
    await pass(10)
    // They end although one may wait for tree 1.
    let time = clock.now
    await running.end()
    #expect(clock.now == time && !isDone("3 was restored"))
    directory.start()
    await pass(10)
    bank.gate.open()
    await advance(until: "3 was restored")
    #expect(!isDone("1 was idle and was ended"))
  }
}
