// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("Trees that a directory wakes", .timeLimit(.minutes(5)))
struct WakingTests {
  final class AlarmInteractor: Interactor, Saving {
    struct SavedState: Codable, Sendable {
      var count = 0
    }

    var savedState = SavedState() { didSet { setNeedsSave() } }
    private let activate: @Sendable (AlarmInteractor) -> Void

    init(_ activate: @escaping @Sendable (AlarmInteractor) -> Void) {
      self.activate = activate
      super.init()
    }

    override func didBecomeActive() {
      super.didBecomeActive()
      activate(self)
    }
  }

  final class AlarmRouter: Router<AlarmInteractor> {}

  private let clock = TestClock()
  private let journal = Journal()

  private func directory(
    _ store: any TreeStore, limit: Int = .max, opensAtOnce: Int = 16,
    activate: @escaping @Sendable (Int, AlarmInteractor) -> Void = { _, _ in }
  ) -> TreeDirectory<Int, AlarmRouter> {
    TreeDirectory(
      "alarm", in: store,
      configuration: DirectoryConfiguration(
        idleAfter: .seconds(600), limit: limit, backoff: .exponential(from: .seconds(1), jitter: 0),
        opensAtOnce: opensAtOnce, clock: clock),
      tree: { _ in TreeConfiguration(leakDetection: .off, onFailure: { _ in }) },
      onEvent: { [journal] event in
        // The lateness is measured by the real clock.
        let text = "\(event)"
        journal.write(text.contains("was woken") ? String(text.prefix { $0 != "," }) : text)
      },
      build: { id -> sending AlarmRouter in AlarmRouter(interactor: AlarmInteractor { activate(id, $0) }) })
  }

  private static func key(_ id: Int) -> TreeKey { TreeKey(kind: "alarm", id: "\(id)") }

  /// Saves sleeping trees.
  private func save(_ times: [Int: WallTime], in store: any TreeStore) async throws {
    let document = try await TreeHost { AlarmRouter(interactor: AlarmInteractor { _ in }) }.save()
      .encoded(by: JSONStateCoder())
    for (id, time) in times {
      guard case .claimed(let fence, _) = try await store.claim(Self.key(id), by: TreeOwner(), schema: 1) else {
        continue
      }
      let record = TreeRecord(
        key: Self.key(id), fence: fence, version: 1, schema: 1, content: .document(document), isAwake: false,
        wakes: time, isReleased: true)
      #expect(try await store.save([record]).isEmpty)
    }
  }

  /// Moves the clock forward until a condition holds.
  private func advance(until condition: () -> Bool) async {
    while !condition() {
      await clock.waitForSleeper()
      clock.advance(by: .milliseconds(100))
      for _ in 0..<100 where !condition() { await Task.yield() }
    }
  }

  private func events(_ text: String) -> [String] { journal.lines.filter { $0.contains(text) } }

  @Test("wake when their time has come, the oldest first, and end as soon as they are idle")
  func order() async throws {
    let time = Locked(WallTime.noon)
    let store = MemoryStore(clock: clock, wallTime: { time.withLock { $0 } })
    try await save([3: .noon - .seconds(1), 1: .noon - .seconds(3), 2: .noon, 4: .noon + .seconds(1)], in: store)
    let directory = directory(store, opensAtOnce: 1)
    let running = Task { await directory.run() }
    await advance { events("was idle").count == 3 }
    #expect(events("was woken") == ["1 was woken", "3 was woken", "2 was woken"])
    #expect(directory.count == 0)
    #expect(try await store.due("alarm", limit: 10, schema: 1) == [])
    let end = clock.now.sinceBeginning + .seconds(5)
    await advance { clock.now.sinceBeginning > end }
    #expect(events("was woken").count == 3)
    time.withLock { $0 = .noon + .seconds(1) }
    await advance { events("was idle").count == 4 }
    #expect(events("was woken").last == "4 was woken")
    running.cancel()
    await running.value
  }

  @Test("take turns within the limit, while calls of other trees are answered")
  func limit() async throws {
    let store = MemoryStore(clock: clock)
    try await save(Dictionary(uniqueKeysWithValues: (0..<600).map { ($0, .noon + .seconds($0)) }), in: store)
    let largest = Locked(0)
    let directory = directory(store, limit: 8)
    let running = Task { await directory.run() }
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
    running.cancel()
    await running.value
  }

  @Test("wait while all trees are in use, and are not lost")
  func fullLimit() async throws {
    let store = MemoryStore(clock: clock)
    try await save([1: .noon], in: store)
    let release = Promise<Void>()
    let directory = directory(store, limit: 1) { id, interactor in
      if id == 2 { interactor.task { await release.value } }
    }
    _ = try await directory.perform(on: 2) { _ in }
    let running = Task { await directory.run() }
    let end = clock.now.sinceBeginning + .seconds(10)
    await advance { clock.now.sinceBeginning > end }
    #expect(events("was woken") == [] && events("limit") == [])
    #expect(directory.ids == [2])
    release.set(())
    await advance { events("was woken") == ["1 was woken"] }
    running.cancel()
    await running.value
  }

  @Test("are retried with pauses if they fail, then quarantined, and woken after the retry")
  func failures() async throws {
    struct Broken: Error {}
    let store = MemoryStore(clock: clock)
    try await save([1: .noon], in: store)
    let isRepaired = Locked(false)
    let attempts = Journal()
    let directory = directory(store) { [clock] _, interactor in
      attempts.write("\(clock.now.sinceBeginning)")
      if !isRepaired.withLock({ $0 }) { interactor.fail(Broken()) }
    }
    let running = Task { await directory.run() }
    await advance { directory.quarantined.count == 1 }
    #expect(attempts.lines.count == 3)
    #expect(events("has failed").count == 3)
    // Pauses of one and two seconds, and less than a round.
    let end = clock.now.sinceBeginning
    #expect(end >= .seconds(3) && end < .seconds(7))
    let later = end + .seconds(30)
    await advance { clock.now.sinceBeginning > later }
    #expect(attempts.lines.count == 3)
    isRepaired.withLock { $0 = true }
    directory.retry(1)
    await advance { events("was idle").count == 1 }
    #expect(attempts.lines.count == 4)
    #expect(try await store.due("alarm", limit: 10, schema: 1) == [])
    running.cancel()
    await running.value
  }
}
