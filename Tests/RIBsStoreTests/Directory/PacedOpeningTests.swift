// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("The opening of many trees after a crash", .timeLimit(.minutes(15)))
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
    let running = Task { await directory.run() }
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
    await directory.shutdown()
  }
}
