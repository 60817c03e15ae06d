// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import TestSupport
import Testing

@testable import RIBsStore

@Suite("Trees that a directory wakes", .timeLimit(.minutes(15)), .tearsDown)
struct WakingTests {
  final class AlarmInteractor: Interactor, Saving {
    struct SavedState: Codable, Sendable {
      var count = 0
      /// When it rings next.
      var ringsAt: WallTime?
      var rings: [WallTime] = []
    }

    var savedState = SavedState() { didSet { setNeedsSave() } }
    private let activate: @Sendable (AlarmInteractor) -> Void

    init(_ activate: @escaping @Sendable (AlarmInteractor) -> Void) { self.activate = activate }

    override func didBecomeActive() {
      super.didBecomeActive()
      activate(self)
      if savedState.ringsAt != nil { start() }
    }

    /// Rings when the time has come, and once more in a minute.
    func start() {
      task {
        while let time = self.savedState.ringsAt {
          try await self.sleep(until: time)
          self.savedState.rings.append(self.wallTime)
          self.savedState.ringsAt = self.savedState.rings.count < 2 ? time + .seconds(60) : nil
        }
      }
    }

    func ring(at time: WallTime) {
      savedState.ringsAt = time
      start()
    }
  }

  final class AlarmRouter: Router<AlarmInteractor> {}

  private let clock = TestClock(wallTime: .noon)
  private let store: MemoryStore
  private let journal = Journal()
  private let lateness = Shared<[Duration]>([])

  init() { store = MemoryStore(clock: clock, wallClock: clock.wallClock) }

  /// - Parameter other: a store in place of the one in memory.
  private func directory(
    in other: (any TreeStore)? = nil, limit: Int = .max, opensAtOnce: Int = 16,
    activate: @escaping @Sendable (Int, AlarmInteractor) -> Void = { _, _ in }
  ) -> TreeDirectory<Int, AlarmRouter> {
    TreeDirectory(
      "alarm", in: other ?? store,
      configuration: DirectoryConfiguration(
        idleAfter: .seconds(10), limit: limit, backoff: .exponential(from: .seconds(1), jitter: 0),
        opensAtOnce: opensAtOnce, clock: clock),
      tree: { [clock] _ in
        TreeConfiguration(clock: clock, wallClock: clock.wallClock, leakDetection: .off, onFailure: { _ in })
      },
      onEvent: { [journal, lateness] event in
        guard case .woken(let id, let late) = event else { return journal.write("\(event)") }
        journal.write("\(id) was woken")
        lateness.change { $0.append(late) }
      },
      build: { id -> sending AlarmRouter in AlarmRouter(interactor: AlarmInteractor { activate(id, $0) }) })
  }

  private static func key(_ id: Int) -> TreeKey { TreeKey(kind: "alarm", id: "\(id)") }

  /// Saves sleeping trees.
  private func save(_ times: [Int: WallTime]) async throws {
    let document = try await TreeHost { AlarmRouter(interactor: AlarmInteractor { _ in }) }.save()
      .encoded(by: JSONStateCoder())
    let (trees, text) = (SavedTrees(store: store, kind: "alarm"), String(decoding: document, as: UTF8.self))
    for (id, time) in times { try await trees.save("\(id)", text, wakes: time) }
  }

  private func advance(by step: Duration = .milliseconds(100), until condition: () -> Bool) async {
    await clock.advance(by: step, until: condition)
  }

  private func events(_ text: String) -> [String] { journal.lines.filter { $0.contains(text) } }

  @Test("wake when their time has come, the oldest first, and end as soon as they are idle")
  func order() async throws {
    try await save([3: .noon - .seconds(1), 1: .noon - .seconds(3), 2: .noon, 4: .noon + .seconds(20)])
    #expect(try await store.due("alarm", limit: 10, schema: 1) == [1, 3, 2].map(Self.key))
    let directory = directory(opensAtOnce: 1).running().directory
    await advance { events("was idle").count == 3 }
    #expect(events("was woken") == ["1 was woken", "3 was woken", "2 was woken"])
    #expect(directory.count == 0)
    #expect(try await store.due("alarm", limit: 10, schema: 1) == [])
    await advance { clock.wallTime >= .noon + .seconds(19) }
    #expect(events("was woken").count == 3)
    await advance { events("was idle").count == 4 }
    #expect(events("was woken").last == "4 was woken")
    // At most a round and a step.
    #expect(lateness.value.last.map { $0 >= .zero && $0 <= .seconds(1.1) } == true)
  }

  /// A store in which something happens right after it has found which trees are due.
  private struct InterruptedStore: ForwardingStore {
    let base: any TreeStore
    let onDue: @Sendable ([TreeKey]) async throws -> Void

    func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] {
      let keys = try await base.due(kind, limit: limit, schema: schema)
      try await onDue(keys)
      return keys
    }
  }

  @Test("are left to the process that claims them first, which is no failure")
  func otherProcess() async throws {
    let other = TreeOwner()
    let interrupted = InterruptedStore(base: store) { keys in
      guard keys.contains(Self.key(1)), try await store.renew(other, for: .seconds(3_600)) else { return }
      _ = try await store.claim(Self.key(1), by: other, schema: 1)
    }
    try await save([1: .noon - .seconds(2), 2: .noon - .seconds(1)])
    directory(in: interrupted, opensAtOnce: 1).start()
    await advance { events("2 was woken").count == 1 && !events("was idle").isEmpty }
    #expect(events("was woken") == ["2 was woken"])
    #expect(events("failed") == [])
    #expect(try await store.claim(Self.key(1), by: TreeOwner(), schema: 1) == .elsewhere(address: ""))
  }

  @Test("are not built if another process removes them after the store has said that they are due")
  func removedMeanwhile() async throws {
    let trees = SavedTrees(store: store, kind: "alarm")
    let interrupted = InterruptedStore(base: store) { keys in
      guard keys.contains(Self.key(1)), store.records[Self.key(1)] != nil else { return }
      _ = try await store.save([trees.claim("1").record(.removed, isReleased: true)])
    }
    try await save([1: .noon - .seconds(2), 2: .noon - .seconds(1)])
    let directory = directory(in: interrupted, opensAtOnce: 1).running().directory
    await advance { events("2 was woken").count == 1 && !events("was idle").isEmpty }
    await clock.pass(.seconds(5), by: .milliseconds(100))
    #expect(journal.lines.filter { $0.hasPrefix("1 ") } == [])
    #expect(directory.count == 0)
    // The directory has released its claim.
    while case .elsewhere = try await store.claim(Self.key(1), by: TreeOwner(), schema: 1) { await Task.yield() }
  }

  @Test("take turns within the limit, while calls of other trees are answered")
  func limit() async throws {
    try await save(Dictionary(uniqueKeysWithValues: (0..<600).map { ($0, .noon - .seconds($0)) }))
    let largest = Locked(0)
    let directory = directory(limit: 8).running().directory
    let calls = Task {
      for id in 1_000..<1_100 {
        _ = try await directory.perform(on: id) { $0.interactor.savedState.count += 1 }
        largest.withLock { $0 = max($0, directory.count) }
      }
    }
    await advance { events("was woken").count == 600 }
    try await calls.value
    #expect(largest.withLock { $0 } <= 8)
    #expect(Set(events("was woken")).count == 600)
    #expect(try await store.due("alarm", limit: 10, schema: 1) == [])
    #expect(events("limit") == [])
  }

  @Test("wait while all trees are in use, and are not lost")
  func fullLimit() async throws {
    try await save([1: .noon])
    let release = Promise<Void>()
    let directory = directory(limit: 1) { id, interactor in
      if id == 2 { interactor.task { await release.value } }
    }
    _ = try await directory.perform(on: 2) { _ in }
    directory.start()
    await clock.pass(.seconds(10), by: .milliseconds(100))
    #expect(events("was woken") == [] && events("limit") == [])
    #expect(directory.ids == [2])
    release.set(())
    await advance { events("was woken") == ["1 was woken"] }
  }

  @Test("are retried with pauses if they fail, then quarantined, and woken after the retry")
  func failures() async throws {
    struct Broken: Error {}
    try await save([1: .noon])
    let isRepaired = Locked(false)
    let attempts = Journal()
    let directory = directory { [clock] _, interactor in
      attempts.write("\(clock.now.sinceBeginning)")
      if !isRepaired.withLock({ $0 }) { interactor.fail(Broken()) }
    }
    directory.start()
    // Reported after the last failure.
    await advance { events("is in quarantine").count == 1 }
    #expect(directory.quarantined.count == 1)
    #expect(attempts.lines.count == 3)
    #expect(events("has failed").count == 3)
    // Pauses of one and two seconds, and less than a round.
    let end = clock.now.sinceBeginning
    #expect(end >= .seconds(3) && end < .seconds(7))
    await clock.pass(.seconds(30), by: .milliseconds(100))
    #expect(attempts.lines.count == 3)
    isRepaired.withLock { $0 = true }
    directory.retry(1)
    await advance { events("was idle").count == 1 }
    #expect(attempts.lines.count == 4)
    #expect(try await store.due("alarm", limit: 10, schema: 1) == [])
  }

  // MARK: Work that sleeps

  @Test("sleep without a place in memory, and ring late by a round at most, in the same process")
  func sleepingWork() async throws {
    let directory = directory().running().directory
    for id in 0..<5 {
      try await directory.perform(on: id) { root in root.interactor.ring(at: .noon + .seconds(100 + id)) }
    }
    #expect(directory.count == 5)
    await advance(by: .seconds(1)) { events("was idle").count == 5 }
    #expect(directory.count == 0)
    #expect(store.awakeKeys == [])
    let wakes: [WallTime?] = (0..<5).map { .noon + .seconds(100 + $0) }
    #expect((0..<5).map { store.records[Self.key($0)]?.wakes } == wakes)
    await advance(by: .seconds(1)) { clock.wallTime >= .noon + .seconds(99) }
    #expect(events("was woken") == [])
    // Each rings, sleeps for a minute, rings again, and sleeps for ever.
    await advance(by: .milliseconds(500)) { events("was woken").count == 10 && directory.count == 0 }
    #expect(lateness.value.allSatisfy { $0 >= .zero && $0 <= .seconds(1.5) })
    for id in 0..<5 {
      let rings = try await directory.perform(on: id) { $0.interactor.savedState.rings }
      let times = [100 + id, 160 + id].map { WallTime.noon + .seconds($0) }
      #expect(
        rings.count == 2 && zip(rings, times).allSatisfy { $0 >= $1 && $0 - $1 <= .seconds(1.5) }, "\(id), \(rings)")
    }
  }

  @Test("are woken by any process that runs a directory, after those that saved them have ended, and once each")
  func otherProcesses() async throws {
    // Ends in order, although their work sleeps.
    let first = directory()
    try await first.perform(on: 1) { $0.interactor.ring(at: .noon + .seconds(100)) }
    await first.shutdown()
    #expect(store.awakeKeys == [] && store.records[Self.key(1)]?.wakes == .noon + .seconds(100))
    // Dies: the tree is awake for those that come after, and its work sleeps again there.
    let second = directory()
    try await second.perform(on: 2) { $0.interactor.ring(at: .noon + .seconds(200)) }
    #expect(store.awakeKeys == [Self.key(2)])
    let others = [directory(), directory()]
    let running = others.map { $0.start() }
    await advance(by: .milliseconds(500)) { clock.wallTime >= .noon + .seconds(400) }
    #expect(Set(events("was woken")).isSubset(of: ["1 was woken", "2 was woken"]))
    #expect(events("1 was woken").count >= 1)
    for task in running { await task.end() }
    for directory in others { await directory.shutdown() }
    let last = directory()
    for (id, time) in [(1, 100), (2, 200)] {
      let rings = try await last.perform(on: id) { $0.interactor.savedState.rings }
      #expect(rings.count == 2 && rings.first.map { $0 >= .noon + .seconds(time) } == true, "\(id): \(rings)")
    }
  }

  @Test("ring once, as soon as a process runs, if none ran when their time came")
  func outage() async throws {
    let first = directory()
    try await first.perform(on: 1) { $0.interactor.ring(at: .noon + .seconds(100)) }
    await first.shutdown()
    clock.wallTime = .noon + .seconds(86_400)
    let second = directory().running().directory
    await advance { events("was idle").count == 1 }
    // The second time is in the past, too: the work continues with it.
    let rings = try await second.perform(on: 1) { $0.interactor.savedState.rings }
    #expect(rings.count == 2 && rings.allSatisfy { $0 >= .noon + .seconds(86_400) })
    #expect(lateness.value.first.map { $0 >= .seconds(86_300) } == true)
  }

  @Test("wake if an operator has ended them, also while other work ran, and not if they have ended by themselves")
  func ended() async throws {
    let directory = directory().running().directory
    for id in 1...3 { try await directory.perform(on: id) { $0.interactor.ring(at: .noon + .seconds(60)) } }
    try await directory.perform(on: 2) { root in
      root.interactor.task { try? await Promise<Void>().valueUnlessCancelled() }
    }
    for id in 1...2 { await directory.host(ifAwake: id)?.shutdown() }
    try await directory.perform(on: 3) { $0.interactor.endTree() }
    await advance { directory.count == 0 }
    await advance { clock.wallTime >= .noon + .seconds(59) }
    #expect(events("was woken") == [])
    await clock.pass(.seconds(11), by: .milliseconds(100))
    #expect(Set(events("was woken")) == ["1 was woken", "2 was woken"])
  }

  @Test("wake when a store is back that was away when their time came, the oldest first, and none early")
  func storeAway() async throws {
    let isAway = Locked(false)
    try await save(Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, .noon + .seconds(40 - $0)) }))
    let faulty = FaultyStore(store) { _ in isAway.withLock { $0 } ? .failsBeforeEffect : nil }
    let directory = directory(in: faulty, opensAtOnce: 1).running().directory
    await advance { clock.wallTime >= .noon + .seconds(10) }
    isAway.withLock { $0 = true }
    await advance { clock.wallTime >= .noon + .seconds(90) }
    #expect(events("was woken") == [])
    isAway.withLock { $0 = false }
    await advance { lateness.value.count == 20 }
    #expect(events("was woken") == (0..<20).reversed().map { "\($0) was woken" })
    #expect(lateness.value.allSatisfy { $0 >= .seconds(50) })
    await advance { directory.count == 0 }
  }

  // MARK: Trees that the store keeps for a process that does not have them

  enum Caller: CaseIterable { case call, callOfExisting, removal }

  /// Opens or removes tree 1.
  private func call(_ caller: Caller, _ directory: TreeDirectory<Int, AlarmRouter>) async throws {
    switch caller {
    case .call: try await directory.perform(on: 1) { _ in }
    case .callOfExisting: _ = try await directory.perform(onExisting: 1) { _ in }
    case .removal: try await directory.remove(1)
    }
  }

  /// Saves tree 1, which rings at a time and a minute later, as asleep.
  private func saveAlarm(at time: WallTime) async throws {
    let first = directory()
    try await first.perform(on: 1) { $0.interactor.ring(at: time) }
    await first.shutdown()
  }

  private func expectWake(of directory: TreeDirectory<Int, AlarmRouter>, at time: WallTime) async throws {
    await clock.pass(time - clock.wallTime - .seconds(1), by: .milliseconds(100))
    #expect(events("was woken") == [])
    await clock.pass(.seconds(70), by: .milliseconds(100))
    #expect(!events("was woken").isEmpty)
    try await expectTwoRings(of: 1..<2, at: { _ in time }, in: directory)
  }

  @Test("wake if the answer to the claim of a call or a removal was lost", arguments: Caller.allCases)
  func lostClaim(_ caller: Caller) async throws {
    try await saveAlarm(at: .noon + .seconds(60))
    let faulty = FaultyStore(store) { $0.function == .claim && $0.numberOfFunction == 1 ? .failsAfterEffect : nil }
    let directory = directory(in: faulty)
    await #expect(throws: StoreFault.self) { try await call(caller, directory) }
    directory.start()
    try await expectWake(of: directory, at: .noon + .seconds(60))
  }

  @Test("wake if the answer to a claim was lost, and they are retried while they are to be opened again")
  func lostClaimAndRetry() async throws {
    try await saveAlarm(at: .noon + .seconds(60))
    let faulty = FaultyStore(store) { call in
      switch (call.function, call.numberOfFunction) {
      case (.claim, 1): .failsAfterEffect
      case (.retry, 1): .waits
      default: nil
      }
    }
    let directory = directory(in: faulty)
    await #expect(throws: StoreFault.self) { try await call(.call, directory) }
    directory.retry(1)
    await faulty.waitForWaitingCall()
    directory.start()
    await clock.pass(.seconds(10), by: .milliseconds(100))
    faulty.resume()
    try await expectWake(of: directory, at: .noon + .seconds(60))
  }

  @Test("wake if they may have ended a process, and the store fails before they are started")
  func lostNote() async throws {
    try await saveAlarm(at: .noon + .seconds(60))
    _ = try await SavedTrees(store: store, kind: "alarm").claim("1")
    // The claim succeeds, and the note does not.
    let faulty = FaultyStore(store) { $0.function == .note && $0.numberOfFunction <= 2 ? .failsBeforeEffect : nil }
    let directory = directory(in: faulty)
    await #expect(throws: StoreFault.self) { try await call(.call, directory) }
    directory.start()
    try await expectWake(of: directory, at: .noon + .seconds(60))
  }

  @Test("are quarantined if they have ended many processes, and the store fails at first")
  func lostQuarantine() async throws {
    try await saveAlarm(at: .noon + .seconds(60))
    let claim = try await SavedTrees(store: store, kind: "alarm").claim("1")
    let count = UnfinishedStarts(count: 3)
    try await store.note([TreeStart(key: claim.key, fence: claim.fence, state: .begins(count))])
    let faulty = FaultyStore(store) { $0.function == .note && $0.numberOfFunction == 1 ? .failsBeforeEffect : nil }
    let directory = directory(in: faulty)
    await #expect(throws: StoreFault.self) { try await call(.call, directory) }
    directory.start()
    await clock.pass(.seconds(10), by: .milliseconds(100))
    #expect(try await store.quarantined("alarm") == [Self.key(1): count])
  }

  @Test("wake if the lease was revived while a call or a round opened them", arguments: [false, true])
  func openingDuringRevival(isDue: Bool) async throws {
    try await saveAlarm(at: .noon + .seconds(60))
    if isDue { clock.advance(by: .seconds(60)) }
    let faulty = FaultyStore(store) { $0.function == .claim && $0.numberOfFunction == 1 ? .waits : nil }
    let (directory, running) = directory(in: faulty).running()
    await clock.waitForSleeper()
    let call = isDue ? nil : Task { try await self.call(.call, directory) }
    await faulty.waitForWaitingCall()
    await running.end()
    clock.advance(by: .seconds(11))
    directory.start()
    await journal.wait(for: "\(DirectoryEvent<Int>.leaseRevived(fenced: 0))")
    faulty.resume()
    await journal.wait(for: "\(DirectoryEvent.fenced(1))")
    if let call { await #expect(throws: TreeElsewhere(key: Self.key(1), address: "")) { try await call.value } }
    let woken = events("was woken").count
    await clock.pass(.seconds(130), by: .milliseconds(100))
    #expect(events("was woken").count > woken)
    try await expectTwoRings(of: 1..<2, at: { _ in .noon + .seconds(60) }, in: directory)
  }

  @Test("wake in the next round when the wall clock is set forward, not before if it is set back, and none rings early")
  func clockIsSet() async throws {
    let directory = directory().running().directory
    @Sendable func time(_ id: Int) -> WallTime { .noon + .seconds(id < 10 ? 100 + id : 10_000 + id) }
    for id in 0..<20 { try await directory.perform(on: id) { $0.interactor.ring(at: time(id)) } }
    await advance { directory.count == 0 }
    // In the middle of the pause between two rounds.
    await clock.waitForSleeper()
    clock.wallTime = .noon - .seconds(600)
    await advance(by: .seconds(1)) { clock.wallTime >= .noon }
    #expect(events("was woken") == [])
    await clock.waitForSleeper()
    // The round before may still look for trees whose time has come.
    while directory.state.withLock({ $0.isRecovering }) { await Task.yield() }
    clock.wallTime = time(9) + .seconds(100)
    // Nothing looks at the clock before the next round.
    for _ in 0..<100 { await Task.yield() }
    #expect(events("was woken") == [])
    await advance { events("was woken").count >= 10 && directory.count == 0 }
    #expect(Set(events("was woken")) == Set((0..<10).map { "\($0) was woken" }))
    clock.wallTime = .noon + .seconds(86_400)
    await advance { events("was woken").count >= 20 && directory.count == 0 }
    // The second time had come, too.
    #expect(events("was woken").count == 20)
    try await expectTwoRings(of: 0..<20, at: time, in: directory)
  }

  @Test("sleep for the rest if the wall clock is set back while they are being woken, and wake again")
  func clockIsSetBackMeanwhile() async throws {
    let isSetBack = Locked(false)
    let interrupted = InterruptedStore(base: store) { [clock] keys in
      let isFirst = isSetBack.withLock { isSetBack in
        defer { isSetBack = isSetBack || !keys.isEmpty }
        return !isSetBack && !keys.isEmpty
      }
      if isFirst { clock.wallTime = clock.wallTime - .seconds(600) }
    }
    let directory = directory(in: interrupted).running().directory
    @Sendable func time(_ id: Int) -> WallTime { .noon + .seconds(100) }
    try await directory.perform(on: 1) { $0.interactor.ring(at: time(1)) }
    await advance(by: .seconds(1)) { events("was woken").count == 1 && directory.count == 0 }
    #expect(clock.wallTime < .noon)
    await advance(by: .seconds(1)) { clock.wallTime >= time(1) + .seconds(100) && directory.count == 0 }
    // For the rest, and for the second time.
    #expect(events("was woken").count == 3)
    try await expectTwoRings(of: 1..<2, at: time, in: directory)
  }

  /// Expects that trees have rung at their times and a minute later, each once and none early.
  private func expectTwoRings(
    of ids: Range<Int>, at time: (Int) -> WallTime, in directory: TreeDirectory<Int, AlarmRouter>
  ) async throws {
    for id in ids {
      let rings = try await directory.perform(on: id) { $0.interactor.savedState.rings }
      #expect(rings.count == 2 && rings[0] >= time(id) && rings[1] >= time(id) + .seconds(60), "\(id): \(rings)")
    }
  }

  @Test("stay awake in a directory without a store, and wake there")
  func withoutStore() async throws {
    let alarms = TreeDirectory(
      configuration: DirectoryConfiguration(idleAfter: .seconds(1), clock: clock),
      tree: { [clock] _ in TreeConfiguration(clock: clock, wallClock: clock.wallClock, leakDetection: .off) },
      build: { (_: Int) -> sending AlarmRouter in AlarmRouter(interactor: AlarmInteractor { _ in }) }
    ).shutDownAtEnd()
    alarms.start()
    try await alarms.perform(on: 1) { $0.interactor.ring(at: .noon + .seconds(100)) }
    await advance(by: .milliseconds(500)) { clock.wallTime >= .noon + .seconds(120) }
    #expect(alarms.count == 1)
    #expect(try await alarms.perform(on: 1) { $0.interactor.savedState.rings.count } == 1)
  }
}
