// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("The pause between two saves of a tree")
struct SavePauseTests {
  private let clock = TestClock()
  private let saves = CheckpointTests.Store()
  private var count: Int { saves.begins.lines.count }

  /// A host of a tree that was changed and saved once.
  private func launch(
    _ pause: Duration?, onCopy: (@Sendable () -> Void)? = nil
  ) async throws -> TreeHost<Router<CountingInteractor>> {
    let host = await TreeHost(
      configuration: TreeConfiguration(clock: clock, leakDetection: .off, saving: saves, savePause: pause)
    ) { Router(interactor: CountingInteractor()) }
    try await host.perform { root in
      root.interactor.change()
      root.interactor.onCopy = onCopy
    }
    await saves.begins.wait(for: "save")
    return host
  }

  /// Changes the tree, and returns when its next save waits for the end of the pause.
  private func changeInPause(_ host: TreeHost<Router<CountingInteractor>>) async throws {
    try await host.perform { $0.interactor.change() }
    await clock.waitForSleeper()
  }

  @Test("delays saves under steady change, and combines the changes")
  func steadyChange() async throws {
    let host = try await launch(.seconds(10))
    for round in 2...4 {
      try await changeInPause(host)
      for _ in 0..<100 { try await host.perform { $0.interactor.change() } }
      clock.advance(by: .seconds(9))
      #expect(count == round - 1)
      clock.advance(by: .seconds(1))
      await saves.begins.wait(for: "save", count: round)
    }
    await host.shutdown()
  }

  @Test("is skipped by a checkpoint, and at the end of the tree")
  func skipped() async throws {
    let host = try await launch(.seconds(10))
    try await changeInPause(host)
    try await host.perform { root in try await root.interactor.checkpoint() }
    #expect(count == 2)
    // A change that the checkpoint itself waits for does not begin a pause.
    try await host.perform { root in
      root.interactor.change()
      try await root.interactor.checkpoint()
    }
    #expect(count == 3)
    try await changeInPause(host)
    await host.shutdown()
    await saves.begins.wait(for: "save", count: 4)
    #expect(clock.deadlines.isEmpty)
  }

  @Test("is nine times as long as the last copy has taken, unless it is set")
  func automatic() async throws {
    let host = try await launch(nil) { [clock] in clock.advance(by: .seconds(1)) }
    try await changeInPause(host)
    #expect(clock.deadlines.map(\.sinceBeginning) == [.seconds(10)])
    clock.advance(by: .seconds(9))
    await saves.begins.wait(for: "save", count: 2)
    await host.shutdown()
  }

  @Test("ends with a tree whose host is dropped")
  func dropped() async throws {
    var host: TreeHost? = try await launch(.seconds(10))
    if let host { try await changeInPause(host) }
    let ended = Gate()
    host?.onEnd { _ in ended.open() }
    host = nil
    await ended.pass()
    while !clock.deadlines.isEmpty { await Task.yield() }
  }
}
