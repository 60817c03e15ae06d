// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("Trees that end their process", .timeLimit(.minutes(15)))
struct QuarantineTests {
  final class FragileInteractor: Interactor, Saving {
    var savedState = 0 { didSet { setNeedsSave() } }
    private let activate: @Sendable () -> Void

    init(_ activate: @escaping @Sendable () -> Void) { self.activate = activate }

    override func didBecomeActive() {
      super.didBecomeActive()
      activate()
    }
  }

  typealias FragileRouter = Router<FragileInteractor>

  /// A process with a directory. When it dies, none of its calls reaches the store any more.
  final class SimulatedProcess: Sendable {
    struct Died: Error {}

    let directory: TreeDirectory<Int, FragileRouter>
    let journal: Journal
    private let death: Shared<Bool>
    private let rounds: Journal
    private let running: Task<Void, Never>

    /// - Parameters:
    ///   - fatal: the tree whose activation ends the process.
    ///   - deaths: how often that has happened.
    init(
      _ store: any TreeStore, _ clock: TestClock, fatal: Int? = nil, deaths: Shared<Int> = Shared(0),
      build: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) {
      let (journal, death, rounds) = (Journal(), Shared(false), Journal())
      let mortal = FaultyStore(store, clock: clock) { call in
        // A round of the directory notes the starts, and then reads which trees are quarantined.
        if call.function == .quarantined { rounds.write("") }
        return death.value ? .failsBeforeEffect : nil
      }
      let directory = TreeDirectory<Int, FragileRouter>(
        "fragile", in: mortal,
        configuration: DirectoryConfiguration(idleAfter: nil, backoff: .exponential(jitter: 0), clock: clock),
        tree: { _ in TreeConfiguration(leakDetection: .off, onFailure: { _ in }) },
        onEvent: { journal.write("\($0)") },
        build: { id -> sending FragileRouter in
          try await build(id)
          return FragileRouter(
            interactor: FragileInteractor {
              guard id == fatal else { return }
              deaths.change { $0 += 1 }
              death.value = true
            })
        })
      (self.directory, self.journal, self.death, self.rounds) = (directory, journal, death, rounds)
      running = Task { await directory.run() }
    }

    var isDead: Bool { death.value }

    /// How often the directory has noted which trees have started.
    var notedRounds: Int { rounds.lines.count }

    func kill() {
      death.value = true
      running.cancel()
    }

    func events(_ text: String) -> Int { journal.lines.count { $0.contains(text) } }
  }

  private let clock = TestClock()
  private let store: MemoryStore
  private let deaths = Shared(0)

  init() { store = MemoryStore(clock: clock) }

  /// The trees, as an owner of their own claims them.
  private var trees: SavedTrees<MemoryStore> { SavedTrees(store: store, kind: "fragile") }

  /// Saves trees as awake.
  private func save(_ ids: Range<Int>, in store: some TreeStore) async throws {
    let first = SimulatedProcess(store, TestClock())
    for id in ids { try await first.directory.perform(on: id) { $0.interactor.savedState = id } }
    await first.directory.shutdown()
    // Released as awake, so that they are due at once.
    for id in ids { try await SavedTrees(store: store, kind: "fragile").release("\(id)", isAwake: true) }
    first.kill()
  }

  /// In small steps, so that what is computed meanwhile takes little time.
  private func advance(until condition: () -> Bool) async {
    await clock.advance(by: .milliseconds(100), until: condition)
  }

  @Test("are set aside in the store, and none of their neighbors, by three processes that die three times in all")
  func isolation() async throws {
    let count = Thoroughness.count(usual: 30, share: 60, whole: 60)
    try await save(0..<count, in: store)
    func process() -> SimulatedProcess {
      SimulatedProcess(
        store, clock, fatal: 17, deaths: deaths,
        // All that start together with the one are still being built when it ends the process.
        build: { id in try await clock.sleep(for: .milliseconds(id == 17 ? 100 : 200)) })
    }
    var processes = (0..<3).map { _ in process() }
    var dead: [SimulatedProcess] = []
    var quarantined: Set<Int> { Set(processes.flatMap(\.directory.quarantined.keys)) }
    await advance {
      for index in processes.indices where processes[index].isDead {
        processes[index].kill()
        dead.append(processes[index])
        processes[index] = process()
      }
      if !quarantined.isSubset(of: [17]) { return true }
      return processes.allSatisfy { !$0.directory.quarantined.isEmpty }
        && Set(processes.flatMap(\.directory.ids)).count == count - 1
    }
    try #require(quarantined == [17])
    #expect(deaths.value == 3)
    #expect(
      try await store.quarantined("fragile").map { ($0.key.id, $0.value.count) }.map { "\($0)" } == ["(\"17\", 3)"])
    #expect(
      (dead + processes).allSatisfy { process in
        process.journal.lines.allSatisfy { !$0.contains("quarantine") || $0.hasPrefix("17 ") }
      })
    #expect(processes.allSatisfy { $0.events("17 is in quarantine") == 1 })
    // Further restarts of all processes, each while the trees are awake.
    for _ in 0..<Thoroughness.count(usual: 1, share: 10, whole: 10) {
      for process in processes { process.kill() }
      processes = (0..<3).map { _ in process() }
      await advance { Set(processes.flatMap(\.directory.ids)).count == count - 1 }
    }
    #expect(deaths.value == 3)
    #expect(try await store.quarantined("fragile").count == 1)
    for process in processes { await process.directory.shutdown() }
  }

  @Test("are set aside by the only process of a store in files")
  func files() async throws {
    try await withTemporaryDirectory { folder in
      var store = try FileStore(directory: folder)
      try await save(0..<20, in: store)
      for round in 1...6 {
        await store.close()
        store = try FileStore(directory: folder)
        let process = SimulatedProcess(store, clock, fatal: 7, deaths: deaths)
        // Slowly, because the disk takes its time.
        while !process.isDead, round <= 3 || process.directory.ids.count < 19 || process.directory.quarantined.isEmpty {
          clock.advance(by: .milliseconds(1))
          for _ in 0..<100 { await Task.yield() }
        }
        #expect(process.isDead == (round <= 3))
        #expect(try await store.quarantined("fragile").keys.map(\.id) == (round <= 3 ? [] : ["7"]))
        process.kill()
      }
      #expect(deaths.value == 3)
    }
  }

  @Test("are refused with advice, reported once by each process, and freed for all by a retry in one")
  func retry() async throws {
    try await save(1..<2, in: store)
    for _ in 0..<3 {
      let process = SimulatedProcess(store, clock, fatal: 1)
      await advance { process.isDead }
      process.kill()
    }
    let (first, second) = (SimulatedProcess(store, clock), SimulatedProcess(store, clock))
    await advance { !first.directory.quarantined.isEmpty && !second.directory.quarantined.isEmpty }
    await clock.pass(.seconds(5), by: .milliseconds(100))
    for process in [first, second] {
      let error = await #expect(throws: TreeQuarantined.self) { try await process.directory.perform(on: 1) { _ in } }
      #expect((error?.reason as? UnfinishedStarts)?.count == 3)
      #expect("\(try #require(error))".contains("call TreeDirectory.retry(_:) in any process"))
      #expect(process.events("1 is in quarantine") == 1)
    }
    second.directory.retry(1)
    #expect(try await second.directory.perform(on: 1) { $0.interactor.savedState } == 1)
    await advance { first.directory.quarantined.isEmpty }
    await #expect(throws: TreeElsewhere.self) { try await first.directory.perform(on: 1) { _ in } }
    #expect(try await store.quarantined("fragile").isEmpty)
    for process in [first, second] { await process.directory.shutdown() }
  }

  @Test("can be removed, and retried in a process that has not noticed the quarantine")
  func removal() async throws {
    try await save(1..<3, in: store)
    for id in 1...2 {
      let claim = try await trees.claim("\(id)")
      for state in [.begins(UnfinishedStarts(count: 3)), .quarantined] as [TreeStart.State] {
        try await store.note([TreeStart(key: claim.key, fence: claim.fence, state: state)])
      }
    }
    let directory = TreeDirectory<Int, FragileRouter>(
      "fragile", in: store, configuration: DirectoryConfiguration(clock: clock), onEvent: { _ in },
      build: { _ in FragileRouter(interactor: FragileInteractor {}) })
    try await directory.remove(1)
    #expect(store.records.keys.map(\.id) == ["2"])
    directory.retry(2)
    #expect(try await directory.perform(on: 2) { $0.interactor.savedState } == 2)
    #expect(try await store.quarantined("fragile").isEmpty)
    await directory.shutdown()
  }

  @Test("are not those that were awake for a round without a save, however often their process is killed")
  func killedAwake() async throws {
    try await save(0..<20, in: store)
    for _ in 0..<5 {
      let process = SimulatedProcess(store, clock)
      // All are open, and none is only being opened.
      await advance { process.directory.ids.count == 20 }
      // The round that is under way may have begun before the last tree was open.
      let rounds = process.notedRounds
      await advance { process.notedRounds >= rounds + 2 }
      process.kill()
      clock.advance(by: .seconds(11))
    }
    for id in 0..<20 { #expect(try #require(await trees.claim("\(id)").saved).unfinishedStarts == nil) }
  }

  @Test("are not those that could not be built, and whose process lives")
  func failures() async throws {
    try await save(1..<2, in: store)
    let rest = Shared(10)
    let process = SimulatedProcess(store, clock, build: { _ in if rest.take() { throw SimulatedProcess.Died() } })
    await advance { process.directory.ids == [1] }
    #expect((process.events("1 has failed"), process.events("quarantine")) == (10, 0))
    await process.directory.shutdown()
  }

  @Test("are looked for beside a tree whose builder hangs")
  func hangingBuilder() async throws {
    try await save(1..<4, in: store)
    // All are suspects.
    for id in 1...3 { _ = try await trees.claim("\(id)") }
    let gate = Gate()
    let process = SimulatedProcess(store, clock, build: { id in if id == 1 { await gate.passStubbornly() } })
    await advance { process.directory.ids.sorted() == [2, 3] }
    process.kill()
    // The hanging start does not count.
    clock.advance(by: .seconds(11))
    #expect(try await trees.claim("1").saved?.unfinishedStarts == UnfinishedStarts(count: 1))
    gate.open()
  }
}
