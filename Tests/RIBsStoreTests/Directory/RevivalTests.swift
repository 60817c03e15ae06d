// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A directory whose lease has ended", .tearsDown)
struct RevivalTests {
  /// A process whose store can be cut off.
  private final class World: Sendable {
    let clock = TestClock()
    let memory: MemoryStore
    let isCut = Shared(false)
    let bank = Bank()
    let store: FaultyStore
    let one: TreeDirectory<Int, AccountRouter>

    /// - Parameter lost: the number of revivals whose answers are lost.
    init(lost: Int = 0) {
      memory = MemoryStore(clock: clock)
      store = FaultyStore(memory) { [isCut] call in
        if isCut.value { return .failsBeforeEffect }
        return call.function == .revive && call.numberOfFunction <= lost ? .failsAfterEffect : nil
      }
      one = bank.directory(in: store, clock: clock, address: "one:80")
    }

    var events: [String] { bank.journal.lines }

    func advance(until condition: () -> Bool) async { await clock.advance(until: condition) }

    func balance(_ id: Int) async throws -> Int { try await one.balance(of: id) }
  }

  private static let ended = "\(DirectoryEvent<Int>.leaseEnded)"
  private static func revived(_ fenced: Int) -> String { "\(DirectoryEvent<Int>.leaseRevived(fenced: fenced))" }

  @Test("keeps its trees, their work and their unsaved changes while the store is away, and answers no call meanwhile")
  func storeAway() async throws {
    let world = World()
    world.one.start()
    await world.clock.waitForSleeper()
    try await world.one.deposit(on: 1)
    try await world.one.perform(on: 2) { $0.interactor.begin(4) }
    world.isCut.value = true
    let late = Task { try await world.one.deposit(on: 1) }
    await world.advance { world.events.contains(Self.ended) }
    for _ in 0..<30 {
      await world.clock.waitForSleeper()
      // A call of the other one would wait for its save.
      await #expect(throws: StoreFault.self) { try await world.balance(2) }
      // Nor is a tree opened.
      await #expect(throws: StoreFault.self) { try await world.balance(3) }
      world.clock.advance(by: .seconds(1))
    }
    world.isCut.value = false
    await world.advance { world.events.contains(Self.revived(0)) }
    await world.advance { world.events.contains("\(DirectoryEvent<Int>.storeRecovered)") }
    #expect(try await late.value == 2)
    world.bank.gate.open()
    while try await world.balance(2) == 0 { await Task.yield() }
    #expect(try await world.balance(2) == -4)
    #expect(world.events.filter { $0.hasPrefix("build") } == ["build 1", "build 2"])
    #expect(world.events.count { $0 == Self.ended } == 1)
  }

  @Test(
    "ends the trees that another process has claimed meanwhile, and no others, also if the answers of the store are lost",
    arguments: [0, 1, 3])
  func claimedMeanwhile(_ lost: Int) async throws {
    let world = World(lost: lost)
    world.one.start()
    await world.clock.waitForSleeper()
    for id in 1...3 { try await world.one.deposit(id, on: id) }
    world.isCut.value = true
    await world.advance { world.events.contains(Self.ended) }
    // In the last tenth of the lease no owner can claim it.
    await world.clock.waitForSleeper()
    world.clock.advance(by: .seconds(2))
    let other = SavedTrees(store: world.memory, kind: "account", owner: TreeOwner(address: "other:80"))
    #expect(try await world.memory.renew(other.owner, for: .seconds(3_600)))
    let claim = try await other.claim("2")
    #expect(claim.fence == 2)
    let renewals = world.store.calls.count { $0.function == .renew }
    world.isCut.value = false
    await world.advance {
      world.events.contains(Self.revived(1)) || world.store.calls.count { $0.function == .renew } > renewals + 2
    }
    // It would read 2.
    await #expect(throws: TreeElsewhere(key: claim.key, address: "other:80")) { try await world.balance(2) }
    try #require(world.events.contains(Self.revived(1)))
    await world.bank.journal.wait(for: "\(DirectoryEvent.fenced(2))")
    for id in [1, 3] { #expect(try await world.balance(id) == id) }
    #expect(world.events.count { $0.hasPrefix("build") } == 3)
  }

  /// A store whose claims have their effect, and answer when the test says.
  private struct SlowClaims: ForwardingStore {
    let base: any TreeStore
    let gate = Gate()
    let journal = Journal()

    func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
      let claim = try await base.claim(key, by: owner, schema: schema)
      journal.write("claimed")
      await gate.passStubbornly()
      return claim
    }

    func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] { [] }
  }

  @Test("does not answer from a tree that another process has claimed while it was opened, when the lease is revived")
  func claimedDuringOpening() async throws {
    let (bank, clock) = (Bank(), TestClock())
    let store = SlowClaims(base: MemoryStore(clock: clock))
    let one = bank.directory(in: store, clock: clock, address: "one:80")
    let other = Bank().directory(in: store.base, clock: clock, address: "other:80")
    let running = one.start()
    await clock.waitForSleeper()
    let call = Task { try await one.balance(of: 1) }
    await store.journal.wait(for: "claimed")
    await running.end()
    clock.advance(by: .seconds(11))
    #expect(try await other.deposit(7, on: 1) == 7)
    one.start()
    await bank.journal.wait(for: Self.revived(0))
    store.gate.open()
    // It would read 0.
    await #expect(throws: TreeElsewhere(key: TreeKey(kind: "account", id: "1"), address: "")) { try await call.value }
  }

  @Test("loses no answered deposit, and reads no balance that is out of date, whatever is cut off", arguments: 1...10)
  func walk(_ seed: UInt64) async throws {
    var random = SplitMix(seed)
    let clock = TestClock()
    let memory = MemoryStore(clock: clock)
    let cuts = (0..<3).map { _ in Shared(false) }
    let directories = cuts.enumerated().map { index, isCut in
      Bank().directory(
        in: FaultyStore(memory) { call in
          isCut.value ? call.number.isMultiple(of: 2) ? .failsAfterEffect : .failsBeforeEffect : nil
        }, clock: clock, address: "\(index):80")
    }
    let running = directories.map { $0.start() }
    /// The answered deposits of each tree.
    let answered = Shared([0, 0, 0, 0])
    var calls: [Task<Void, Never>] = []
    for _ in 0..<60 {
      let process = Int.random(in: 0..<3, using: &random)
      let id = Int.random(in: 0..<4, using: &random)
      let directory = directories[process]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: cuts[process].change { $0.toggle() }
      case 1...2:
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(Int.random(in: 100...12_000, using: &random)))
      case 3...5:
        calls.append(
          Task {
            guard (try? await directory.deposit(on: id)) != nil else { return }
            answered.change { $0[id] += 1 }
          })
      default:
        let least = answered.value[id]
        calls.append(
          Task {
            guard let balance = try? await directory.balance(of: id) else { return }
            #expect(balance >= least, "seed \(seed)")
          })
      }
      for _ in 0..<20 { await Task.yield() }
    }
    for isCut in cuts { isCut.value = false }
    let isDone = Shared(false)
    let all = calls
    // There is a sleeper until the end.
    let ticker = Task { while !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) } }
    let end = Task {
      for call in all { await call.value }
      for directory in directories { await directory.shutdown() }
      isDone.value = true
    }
    // Saves that are repeated wait on the clock.
    await clock.advance(yields: 20) { isDone.value }
    await end.value
    for task in running + [ticker] { await task.end() }
    let last = Bank().directory(in: memory, clock: clock, address: "last:80")
    clock.advance(by: .seconds(60))
    for id in 0..<4 { #expect(try await last.balance(of: id) >= answered.value[id], "seed \(seed)") }
  }
}
