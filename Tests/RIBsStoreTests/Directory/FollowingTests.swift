// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("Readers that follow trees of a directory", .timeLimit(.minutes(15)), .tearsDown)
struct FollowingTests {
  /// Delivers how much was counted.
  final class CounterInteractor: Interactor, Saving {
    struct Failed: Error {}

    var savedState = 0 {
      didSet {
        setNeedsSave()
        counts.accept(savedState)
      }
    }
    private(set) lazy var counts = BehaviorRelay(value: savedState)
    let steps = PublishRelay<Int>()
  }

  private typealias Directory = TreeDirectory<Int, Router<CounterInteractor>>

  private let journal = Journal()
  private let clock = TestClock()

  /// - Parameter idleAfter: zero ends trees right after their calls.
  private func directory(in store: any TreeStore = OwnStore(), idleAfter: Duration = .zero) -> Directory {
    Directory(
      "counter", in: store,
      configuration: DirectoryConfiguration(idleAfter: idleAfter, backoff: .exponential(jitter: 0), clock: clock),
      tree: { _ in TreeConfiguration(leakDetection: .off, onFailure: { _ in }) },
      onEvent: { [journal] in journal.write("\($0)") },
      build: { _ in Router(interactor: CounterInteractor()) }
    ).shutDownAtEnd()
  }

  /// Writes the values of tree 1 to the journal.
  private func follow(_ directory: Directory) -> Task<Void, any Error> {
    Task { [journal] in
      do {
        for try await count in directory.values(onExisting: 1, { $0.interactor.counts }) {
          journal.write("read \(count)")
        }
        journal.write("end of the values")
      } catch {
        journal.write("\(type(of: error))")
        throw error
      }
    }
  }

  private func count(_ directory: Directory) async throws {
    try await directory.perform(on: 1) { $0.interactor.savedState += 1 }
  }

  /// A directory whose tree 1 has counted once.
  private func counted(idleAfter: Duration = .zero) async throws -> Directory {
    let directory = directory(idleAfter: idleAfter)
    try await count(directory)
    return directory
  }

  private func waitUntilAsleep(_ directory: Directory) async {
    while directory.count > 0 { await Task.yield() }
  }

  @Test("don't keep them awake, and get the values of trees that are awake again")
  func passivation() async throws {
    let directory = try await counted()
    await waitUntilAsleep(directory)
    let reader = follow(directory)
    await journal.wait(for: "read 1")
    for number in 2...20 {
      await waitUntilAsleep(directory)
      try await count(directory)
      await journal.wait(for: "read \(number)")
    }
    await waitUntilAsleep(directory)
    let opened = journal.lines.count { $0.hasPrefix("1 was restored") }
    // The reader has opened it once, and each call. The reader opens it again, once for a change, if it is late.
    #expect((20..<40).contains(opened))
    try await directory.remove(1)
    try await reader.value
    #expect(journal.lines.last == "end of the values")
  }

  @Test("open a tree again that has changed while they were busy, and none that has not", arguments: [true, false])
  func busyReader(changes: Bool) async throws {
    let directory = try await counted()
    let gate = Gate()
    let reader = Task { [journal] in
      var reader = directory.values(onExisting: 1, { $0.interactor.counts }).makeAsyncIterator()
      _ = try await reader.next()
      journal.write("busy")
      await gate.pass()
      return try await reader.next()
    }
    await journal.wait(for: "busy")
    await waitUntilAsleep(directory)
    if changes { try await count(directory) } else { try await directory.perform(on: 1) { _ in } }
    await waitUntilAsleep(directory)
    func restores() -> Int { journal.lines.count { $0.hasPrefix("1 was restored") } }
    let opened = restores()
    gate.open()
    if changes {
      #expect(try await reader.value == 2)
    } else {
      // Time for a reader that would open it.
      for _ in 0..<1_000 { await Task.yield() }
      #expect(restores() == opened)
      try await count(directory)
      // It may read the value that it knows before the call changes it.
      #expect(try await [1, 2].contains(reader.value))
    }
  }

  /// Holds a counter, which it restarts after an hour.
  private final class HolderRouter: Router<Interactor> {
    private lazy var slot = ChildSlot<String>(
      of: self, restarts: .upTo(1, within: .seconds(9_999), after: .exponential(from: .seconds(3_600), jitter: 0))
    ) { _, _ in Router(interactor: CounterInteractor()) }

    override var savedChildren: [SavedChildren] { [slot.saved(as: "slot")] }

    var counter: CounterInteractor? { (slot.child as? Router<CounterInteractor>)?.interactor }

    override func didLoad() {
      super.didLoad()
      slot.begin(with: "counter")
    }
  }

  @Test("get no value that a restart discards in the same turn, but the present one")
  func discardedValue() async throws {
    let directory = TreeDirectory(
      "holder", in: OwnStore(), configuration: DirectoryConfiguration(clock: clock),
      tree: { (_: Int) in TreeConfiguration(leakDetection: .off, onFailure: { _ in }) },
      build: { _ in HolderRouter(interactor: Interactor()) }
    ).shutDownAtEnd()
    try await directory.perform(on: 1) { $0.counter?.savedState = 1 }
    var reader = directory.values(onExisting: 1, { $0.counter?.counts.asObservable() ?? .just(-1) }).makeAsyncIterator()
    #expect(try await reader.next() == 1)
    await #expect(throws: TreeFailure.self) {
      try await directory.perform(on: 1) { holder in
        holder.counter?.savedState = 2
        holder.counter?.fail(CounterInteractor.Failed())
      }
    }
    #expect(try await reader.next() == -1)
    #expect(try await reader.next() == nil)
  }

  @Test("end when the tree was removed while they were busy")
  func removalBehindReader() async throws {
    let directory = try await counted()
    var reader = directory.values(onExisting: 1, { $0.interactor.counts }).makeAsyncIterator()
    #expect(try await reader.next() == 1)
    try await directory.remove(1)
    try await count(directory)
    await waitUntilAsleep(directory)
    #expect(try await reader.next() == nil)
  }

  @Test("of a tree that does not exist end at once, and open none")
  func absent() async throws {
    let directory = directory()
    try await follow(directory).value
    #expect(journal.lines == ["end of the values"])
    #expect(directory.count == 0)
  }

  @Test(
    "end when they are cancelled, and when the directory is shut down, also while the tree sleeps",
    arguments: [true, false])
  func end(isCancelled: Bool) async throws {
    let directory = try await counted()
    let readers = (0..<10).map { _ in follow(directory) }
    while journal.lines.count(where: { $0 == "read 1" }) < 10 { await Task.yield() }
    await waitUntilAsleep(directory)
    // The others wait for the tree.
    for reader in readers[..<(isCancelled ? 9 : 0)] {
      reader.cancel()
      try await reader.value
    }
    if isCancelled {
      try await count(directory)
      await journal.wait(for: "read 2")
      // Those that were cancelled don't keep it awake.
      await waitUntilAsleep(directory)
    }
    await directory.shutdown()
    for reader in readers { try await reader.value }
  }

  @Test("don't keep a tree awake if they are cancelled while it is opened")
  func cancelledDuringOpening() async throws {
    let directory = directory()
    for number in 1...100 {
      try await count(directory)
      await waitUntilAsleep(directory)
      let readers = (0..<10).map { _ in follow(directory) }
      while journal.lines.count(where: { $0 == "read \(number)" }) < 10 { await Task.yield() }
      await waitUntilAsleep(directory)
      async let opening: Void = directory.perform(on: 1) { _ in }
      for reader in readers { reader.cancel() }
      try await opening
      for reader in readers { try await reader.value }
      await waitUntilAsleep(directory)
    }
  }

  @Test("end with a stream that completes while the tree is awake")
  func completion() async throws {
    let directory = try await counted(idleAfter: .seconds(60))
    var read: [Int] = []
    for try await value in directory.values(onExisting: 1, { _ in Observable.just(5) }) { read.append(value) }
    #expect(read == [5])
  }

  @Test("get the values of a tree that has failed once it is restored")
  func failure() async throws {
    let directory = try await counted(idleAfter: .seconds(60))
    let reader = follow(directory)
    await journal.wait(for: "read 1")
    _ = try? await directory.perform(on: 1, answering: .atOnce) { root in
      root.interactor.fail(CounterInteractor.Failed())
    }
    try await count(directory)
    await journal.wait(for: "read 2")
    await directory.shutdown()
    try await reader.value
  }

  @Test("keep trees awake that other processes could wake")
  func sharedStore() async throws {
    let directory = directory(in: MemoryStore()).running().directory
    try await count(directory)
    let reader = follow(directory)
    await journal.wait(for: "read 1")
    try await count(directory)
    await journal.wait(for: "read 2")
    // After each call the directory checks whether the tree is idle.
    for _ in 1...500 {
      try await directory.perform(on: 1) { _ in }
      #expect(directory.ids == [1])
      #expect(directory.host(ifAwake: 1) != nil)
    }
    reader.cancel()
    try await reader.value
  }

  @Test("are sent to the process that has claimed the tree, also if no value shows it", arguments: [true, false])
  func takeover(hasValue: Bool) async throws {
    let store = OwnStore()
    let directory = directory(in: store, idleAfter: .seconds(60))
    try await count(directory)
    let reader = follow(directory)
    await journal.wait(for: "read 1")
    _ = try await store.claim(TreeKey(kind: "counter", id: "1"), by: TreeOwner(), schema: 1)
    _ = try? await directory.perform(on: 1) { root in
      if hasValue { root.interactor.savedState += 1 } else { root.interactor.setNeedsSave() }
    }
    await #expect(throws: TreeElsewhere.self) { try await reader.value }
    #expect(!journal.lines.contains("read 2"))
  }
}
