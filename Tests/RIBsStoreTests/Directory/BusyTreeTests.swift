// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("A tree of a directory that does not answer")
struct BusyTreeTests {
  private let journal = Journal()
  private let blockade = DispatchSemaphore(value: 0)
  private let clock = TestClock()
  // The blocked turn has a thread of its own.
  private let executor = OwnThread()

  private func makeDirectory(_ watchdog: TurnWatchdog? = nil) -> TreeDirectory<Int, Router<Interactor>> {
    TreeDirectory(
      "order", in: MemoryStore(), configuration: DirectoryConfiguration(clock: clock, watchdog: watchdog),
      tree: { _ in TreeConfiguration(leakDetection: .off) },
      onEvent: { [journal] event in journal.write("\(event)") }
    ) { (_: Int) in Router(interactor: Interactor()) }
  }

  /// Blocks a tree until the blockade is opened.
  ///
  /// - Returns: what the tree runs then, and its end.
  private func block(
    _ directory: TreeDirectory<Int, Router<Interactor>>
  ) async throws -> (activity: String, end: Task<Void, any Error>) {
    try await directory.perform(on: 1) { _ in }
    let line = #line + 2
    let call = Task(executorPreference: executor) {
      try await directory.perform(on: 1) { [journal, blockade] _ in
        journal.write("blocked")
        blockade.wait()
      }
    }
    await journal.wait(for: "blocked")
    return ("perform (BusyTreeTests.swift:\(line))", call)
  }

  private func advance(by duration: Duration) async {
    await clock.waitForSleeper()
    clock.advance(by: duration)
  }

  @Test("is removed when it answers, and the removal throws in time and names what it runs")
  func removal() async throws {
    let directory = makeDirectory()
    let (activity, end) = try await block(directory)
    let removal = Task { try await directory.remove(1) }
    await advance(by: .seconds(30))
    let error = await #expect(throws: TreeUnanswered.self) { try await removal.value }
    #expect(error?.timeout == .seconds(30) && error?.hasBegun == false)
    #expect((error?.tree?.busy?.root, error?.tree?.busy?.activity) == ("1:Interactor", activity))
    // A call waits for the end of the removal, and names the same.
    let call = Task { [journal] in
      try await directory.perform(on: 1, timeout: .seconds(5)) { _ in journal.write("made") }
    }
    await advance(by: .seconds(5))
    #expect(await #expect(throws: TreeUnanswered.self) { try await call.value }?.tree?.busy?.activity == activity)
    blockade.signal()
    // Its result is saved before it is answered, and the tree has been removed meanwhile.
    _ = await end.result
    await journal.wait(for: "1 was removed")
    await directory.shutdown()
    #expect(journal.lines == ["1 was opened", "blocked", "1 was removed"])
  }

  @Test("throws in time, and the call is never made", arguments: [false, true])
  func call(isExisting: Bool) async throws {
    let directory = makeDirectory()
    let (activity, end) = try await block(directory)
    let call = Task { [journal] in
      if isExisting {
        _ = try await directory.perform(onExisting: 1, timeout: .seconds(5)) { _ in journal.write("made") }
      } else {
        try await directory.perform(on: 1, timeout: .seconds(5)) { _ in journal.write("made") }
      }
    }
    await advance(by: .seconds(5))
    let error = await #expect(throws: TreeUnanswered.self) { try await call.value }
    #expect(error?.hasBegun == false && error?.tree?.busy?.activity == activity)
    blockade.signal()
    try await end.value
    // After the abandoned call, whose turn would have come before.
    try await directory.perform(on: 1) { _ in }
    await directory.shutdown()
    #expect(!journal.lines.contains("made"))
  }

  @Test("says that a call had begun which has not ended in time")
  func begun() async throws {
    let directory = makeDirectory()
    try await directory.perform(on: 1) { _ in }
    let call = Task(executorPreference: executor) { [journal, blockade] in
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
    await directory.shutdown()
  }

  @Test("is watched by the watchdog of the directory")
  func watched() async throws {
    let watchdog = TurnWatchdog(limit: .milliseconds(10)) { [journal, blockade] report in
      journal.write("\(report.kind): \(report.turn.root)")
      if report.kind == .exceedsLimit { blockade.signal() }
    }
    let directory = makeDirectory(watchdog)
    let (_, end) = try await block(directory)
    try await end.value
    await journal.wait(for: "hasEnded: 1:Interactor")
    await directory.shutdown()
  }
}
