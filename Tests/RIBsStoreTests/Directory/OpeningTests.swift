// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("A builder that calls its directory", .timeLimit(.minutes(15)), .tearsDown)
struct CircularBuilderTests {
  private enum Call: CaseIterable { case perform, performInTime, performOnExisting, host, remove, removeWithoutTimeout }

  /// Each tree is built with a call of the tree that `needs` says.
  private func accounts(
    _ call: Call = .perform, _ needs: @escaping @Sendable (Int) -> Int?
  ) -> TreeDirectory<Int, AccountRouter> {
    let current = Promise<TreeDirectory<Int, AccountRouter>>()
    // The clock stands still, so a call that waits for its timeout waits for the limit of the test.
    let configuration = DirectoryConfiguration(clock: TestClock())
    let accounts = TreeDirectory("account", configuration: configuration, onEvent: { (_: DirectoryEvent<Int>) in }) {
      (id: Int) async throws in
      guard let other = needs(id) else { return AccountRouter(Bank()) }
      let directory = await current.value
      switch call {
      case .perform: try await directory.perform(on: other) { _ in }
      case .performInTime: try await directory.perform(on: other, timeout: .seconds(30)) { _ in }
      case .performOnExisting: _ = try await directory.perform(onExisting: other, timeout: .seconds(30)) { _ in }
      case .host: _ = try await directory.host(for: other)
      case .remove: try await directory.remove(other)
      case .removeWithoutTimeout: try await directory.remove(other, timeout: nil)
      }
      return AccountRouter(Bank())
    }
    current.set(accounts)
    return accounts.shutDownAtEnd()
  }

  @Test("is refused if it calls its own tree", arguments: Call.allCases)
  private func ownTree(call: Call) async throws { try await circle(call, length: 1) }

  @Test("is refused if it does so through other builders", arguments: [Call.perform, .performInTime], [2, 5])
  private func circle(_ call: Call, length: Int) async throws {
    let accounts = accounts(call) { $0 % length + 1 }
    await #expect(throws: CircularOpening.self) { try await accounts.perform(on: 1) { _ in } }
  }

  @Test("can call other trees, which others open at the same time")
  func chain() async throws {
    let accounts = accounts(.performInTime) { $0 > 1 ? $0 / 2 : nil }
    try await atOnce(1..<65) { id in try await accounts.perform(on: id) { _ in } }
    #expect(accounts.count == 64)
  }
}

@Suite("The opening of many trees after a crash", .timeLimit(.minutes(15)), .tearsDown)
struct PacedOpeningTests {
  @Test("is paced by the setting, and calls overtake it", arguments: [1, 3])
  func pace(opensAtOnce: Int) async throws {
    let (store, bank, clock, gate) = (MemoryStore(), Bank(), TestClock(), Gate())
    // The trees that are built at the same time, without those that may be built at once.
    let (building, free, most) = (Shared<Set<Int>>([]), Shared<Set<Int>>([]), Shared(0))
    try await Bank.saveWork(of: 0..<40, in: store)
    let directory = bank.directory(
      in: store, clock: clock,
      opening: { id in
        if free.value.contains(id) { return }
        let count = building.change { building in
          building.insert(id)
          return building.count
        }
        most.change { $0 = max($0, count) }
        await gate.pass()
        building.change { _ = $0.remove(id) }
      }, configure: { $0.opensAtOnce = opensAtOnce })
    let running = directory.start()
    while building.value.count < opensAtOnce { await Task.yield() }
    // One that waits to be opened, and one that is new.
    let waiting = try #require((0..<40).first { !building.value.contains($0) })
    for id in [waiting, 100] {
      free.change { _ = $0.insert(id) }
      try await directory.perform(on: id) { _ in }
    }
    #expect(building.value.count == opensAtOnce)
    #expect(directory.ids.count == 2)
    gate.open()
    while directory.ids.count < 41 { await Task.yield() }
    #expect(most.value == opensAtOnce)
    await running.end()
    bank.gate.open()
  }
}
