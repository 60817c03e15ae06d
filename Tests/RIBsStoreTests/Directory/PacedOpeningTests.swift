// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("The opening of many trees after a crash", .timeLimit(.minutes(15)))
struct PacedOpeningTests {
  /// The trees that are built at the same time, without those that may be built at once.
  private final class Builds: Sendable {
    private struct State {
      var building: Set<Int> = []
      var most = 0
      var free: Set<Int> = []
    }

    private let state = Locked(State())
    let gate = Gate()

    var building: Set<Int> { state.withLock(\.building) }
    var most: Int { state.withLock(\.most) }

    func free(_ id: Int) { state.withLock { _ = $0.free.insert(id) } }

    func build(_ id: Int) async {
      let isFree = state.withLock { state in
        guard !state.free.contains(id) else { return true }
        state.building.insert(id)
        state.most = max(state.most, state.building.count)
        return false
      }
      if isFree { return }
      await gate.pass()
      state.withLock { _ = $0.building.remove(id) }
    }
  }

  @Test("is paced by the setting, and calls overtake it", arguments: [1, 3])
  func pace(opensAtOnce: Int) async throws {
    let (store, bank, clock, builds) = (MemoryStore(), Bank(), TestClock(), Builds())
    try await Bank.saveWork(of: 0..<40, in: store)
    let directory = bank.directory(
      in: store, clock: clock, opening: { await builds.build($0) }, configure: { $0.opensAtOnce = opensAtOnce })
    let running = Task { await directory.run() }
    while builds.building.count < opensAtOnce { await Task.yield() }
    // One that waits to be opened, and one that is new.
    let waiting = try #require((0..<40).first { !builds.building.contains($0) })
    for id in [waiting, 100] {
      builds.free(id)
      try await directory.perform(on: id) { _ in }
    }
    #expect(builds.building.count == opensAtOnce)
    #expect(directory.ids.count == 2)
    builds.gate.open()
    while directory.ids.count < 41 { await Task.yield() }
    #expect(builds.most == opensAtOnce)
    await running.end()
    bank.gate.open()
    await directory.shutdown()
  }
}
