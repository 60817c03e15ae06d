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

  /// Two processes, of which one receives an answer of the store late.
  private struct Late {
    let clock = TestClock()
    let bank = Bank()
    let memory: MemoryStore
    let store: FaultyStore
    let one: TreeDirectory<Int, AccountRouter>
    let other: TreeDirectory<Int, AccountRouter>
    let elsewhere = TreeElsewhere(key: TreeKey(kind: "account", id: "1"), address: "")

    init(_ function: FaultyStore.Function? = nil) {
      memory = MemoryStore(clock: clock)
      store = FaultyStore(memory) { $0.function == function && $0.numberOfFunction == 1 ? .waitsAfterEffect : nil }
      one = bank.directory(in: store, clock: clock, address: "one:80")
      other = Bank().directory(in: memory, clock: clock, address: "other:80")
    }

    /// Makes a call whose answer of the store is late, and lets the other process claim tree 1 and deposit 7 meanwhile.
    func call(_ body: @escaping @Sendable () async throws -> Int) async throws -> (call: Task<Int, any Error>, Int) {
      let running = one.start()
      await clock.waitForSleeper()
      let call = Task { try await body() }
      await store.waitForWaitingCall()
      await running.end()
      clock.advance(by: .seconds(11))
      return (call, try await other.deposit(7, on: 1))
    }
  }

  @Test("does not answer from a tree that another process has claimed while it was opened, when the lease is revived")
  func claimedDuringOpening() async throws {
    let late = Late(.claim)
    let (call, balance) = try await late.call { try await late.one.balance(of: 1) }
    #expect(balance == 7)
    late.one.start()
    await late.bank.journal.wait(for: Self.revived(0))
    late.store.resume()
    // It would read 0.
    await #expect(throws: late.elsewhere) { try await call.value }
  }

  @Test("does not answer from a tree that another process has claimed before the answer to its last save")
  func claimedDuringSave() async throws {
    let late = Late(.save)
    let (deposit, balance) = try await late.call { try await late.one.deposit(on: 1) }
    #expect(balance == 8)
    let read = Task { try await late.one.balance(of: 1) }
    while late.one.counts.calls < 2 { await Task.yield() }
    #expect(try await late.one.balance(of: 1, answering: .atOnce) == 1)
    late.store.resume()
    // It was saved, and the other one has read it.
    #expect(try await deposit.value == 1)
    await #expect(throws: late.elsewhere) { try await read.value }
  }

  @Test("has a lease as soon as it has claimed a tree, and answers no call after its end, also if it does not run")
  func leaseOfCalls() async throws {
    let late = Late()
    #expect(try await late.one.balance(of: 1) == 0)
    await #expect(throws: TreeElsewhere(key: late.elsewhere.key, address: "one:80")) {
      try await late.other.deposit(7, on: 1)
    }
    late.clock.advance(by: .seconds(11))
    #expect(try await late.other.deposit(7, on: 1) == 7)
    // It would read 0.
    await #expect(throws: late.elsewhere) { try await late.one.balance(of: 1) }
    await late.other.shutdown()
    #expect(try await late.one.balance(of: 1) == 7)
  }

  /// A store whose renewals are answered when what they have renewed is almost over.
  private struct SlowRenewals: ForwardingStore {
    let base: any TreeStore
    let clock: TestClock
    let isSlow = Shared(false)
    let renewals = Shared(0)

    func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool {
      let isRenewed = try await base.renew(owner, for: duration)
      if isSlow.value { clock.advance(by: .seconds(9.1)) }
      renewals.change { $0 += 1 }
      return isRenewed
    }
  }

  @Test("opens a tree again that has failed, also if the answers to renewals are too late at first")
  func lateRenewals() async throws {
    let (clock, bank) = (TestClock(), Bank())
    let store = SlowRenewals(base: MemoryStore(clock: clock), clock: clock)
    let directory = bank.directory(in: store, clock: clock, configure: { $0.interval = .milliseconds(100) })
    try await directory.deposit(on: 1)
    _ = try? await directory.perform(on: 1) { $0.interactor.fail(AccountInteractor.Failed()) }
    while directory.count > 0 { await Task.yield() }
    clock.advance(by: .seconds(9.5))
    store.isSlow.value = true
    directory.start()
    await clock.advance(by: .milliseconds(100)) { store.renewals.value > 20 }
    store.isSlow.value = false
    var checks = 0
    await clock.advance(by: .milliseconds(100)) {
      checks += 1
      return bank.journal.lines.contains("1 was restored") || checks > 20_000
    }
    #expect(bank.journal.lines.contains("1 was restored"))
  }

  private enum Trouble: CaseIterable { case isCut, isSlow }

  @Test("loses no answered deposit, and reads no balance that is out of date, whatever fails", arguments: 1...10)
  func walk(_ seed: UInt64) async throws {
    var random = SplitMix(seed)
    let clock = TestClock()
    let memory = MemoryStore(clock: clock)
    /// What is wrong with the connection of each process.
    let troubles = (0..<3).map { _ in Shared<Trouble?>(nil) }
    let stores = troubles.map { trouble in
      FaultyStore(memory) { call in
        switch trouble.value {
        case nil: nil
        case .isCut: call.number.isMultiple(of: 2) ? .failsAfterEffect : .failsBeforeEffect
        case .isSlow: .waitsAfterEffect
        }
      }
    }
    let directories = stores.enumerated().map { Bank().directory(in: $1, clock: clock, address: "\($0):80") }
    var running = [Task<Void, Never>?](repeating: nil, count: 3)
    /// The answered deposits of each tree.
    let answered = Shared([0, 0, 0, 0])
    var calls: [Task<Void, Never>] = []
    // There is a sleeper until the end.
    let ticker = Task { while !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) } }
    for _ in 0..<60 {
      let process = Int.random(in: 0..<3, using: &random)
      let id = Int.random(in: 0..<4, using: &random)
      let directory = directories[process]
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        troubles[process].value = Bool.random(using: &random) ? nil : Trouble.allCases.randomElement(using: &random)
        stores[process].resume()
      case 1:
        if let task = running[process].take() { task.cancel() } else { running[process] = directory.start() }
      case 2...3:
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(Int.random(in: 100...12_000, using: &random)))
      case 4...6:
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
    for trouble in troubles { trouble.value = nil }
    let isDone = Shared(false)
    let all = calls
    let end = Task {
      for call in all { await call.value }
      for directory in directories { await directory.shutdown() }
      isDone.value = true
    }
    // Saves that are repeated wait on the clock.
    await clock.advance(yields: 20) {
      for store in stores { store.resume() }
      return isDone.value
    }
    await end.value
    await ticker.end()
    let last = Bank().directory(in: memory, clock: clock, address: "last:80")
    clock.advance(by: .seconds(60))
    for id in 0..<4 { #expect(try await last.balance(of: id) >= answered.value[id], "seed \(seed)") }
  }
}
