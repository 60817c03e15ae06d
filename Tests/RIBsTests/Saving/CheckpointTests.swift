import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A tree that is saved while it runs")
struct CheckpointTests {
  /// Keeps what is saved, and answers when the test says so.
  final class Store: TreeSaving {
    struct Failed: Error {}

    let journal = Journal()
    private let failures = Locked<[Bool]>([])
    let gate: Gate?

    init(gate: Gate? = nil) { self.gate = gate }

    func failNext() { failures.withLock { $0.append(true) } }

    func save(_ saved: SavedTree) async throws {
      if let gate { await gate.pass() }
      if failures.withLock({ $0.popLast() }) != nil {
        journal.write("failed")
        throw Failed()
      }
      journal.write(String(decoding: try saved.encoded(by: JSONStateCoder()), as: UTF8.self))
    }

    var numbers: [Int] {
      journal.lines.compactMap { $0.split(separator: "\"number\":").dropFirst().first }
        .compactMap { Int($0.prefix { $0.isNumber }) }
    }
  }

  private func host(_ store: Store, _ journal: Journal = Journal()) async throws -> TreeHost<SavedRouter> {
    await TreeHost(
      configuration: TreeConfiguration(
        saving: store, onFailure: { journal.write("\($0.work?.key ?? ""): \($0.error)") })
    ) { SavedRouter() }
  }

  @Test("is saved when a state or the children have changed, several changes at once")
  func changes() async throws {
    let store = Store()
    let host = try await host(store)
    try await host.perform { root in
      root.interactor.savedState.number = 1
      root.interactor.savedState.number = 2
    }
    try await host.perform { root in try await root.interactor.checkpoint() }
    let count = store.journal.lines.count
    #expect(store.numbers.last == 2)
    #expect(!store.numbers.contains(1))
    try await host.perform { root in root.slot.route = .leaf(1) }
    // Nothing but the attached child has asked for this save.
    await store.journal.wait(for: try await host.document())
    #expect(store.journal.lines.count == count + 1)
    await host.shutdown()
  }

  @Test("has saved what was there before a checkpoint when that returns")
  func checkpoint() async throws {
    let store = Store()
    let host = try await host(store)
    for number in 1...50 {
      try await host.perform { root in
        root.interactor.savedState.number = number
        try await root.interactor.checkpoint()
      }
      #expect(store.numbers.last == number)
    }
    await host.shutdown()
  }

  @Test("is saved when it was restored only if its launch has made another tree of it")
  func restored() async throws {
    let saved = try await MainActor.run { try SavingTests.makeTree().tree.document() }
    for isChanged in [false, true] {
      // A badge that nothing was restored into is new.
      let document = isChanged ? saved.replacing("\"Badge\"", with: "\"Button\"") : saved
      let store = Store()
      let host = try await TreeHost(
        restoring: SavedTree(Array(document.utf8)), coder: JSONStateCoder(),
        configuration: TreeConfiguration(saving: store)
      ) { SavedRouter(.branch(1)) }
      // A fresh tree is saved, by which time this one would have been.
      let fresh = try await self.host(store)
      await store.journal.wait(for: try await fresh.document())
      if isChanged { await store.journal.wait(for: try await host.document()) }
      #expect(store.journal.lines.count == (isChanged ? 2 : 1))
      try await host.perform { root in try await root.interactor.checkpoint() }
      #expect(store.journal.lines.count == (isChanged ? 3 : 2))
      await fresh.shutdown()
      await host.shutdown()
    }
  }

  @Test("throws the error of the save at the checkpoints that wait for it, and reports it if there is none")
  func failure() async throws {
    let store = Store()
    let journal = Journal()
    let host = try await host(store, journal)
    try await host.perform { root in try await root.interactor.checkpoint() }
    store.failNext()
    await #expect(throws: Store.Failed.self) {
      try await host.perform { root in try await root.interactor.checkpoint() }
    }
    #expect(journal.lines.isEmpty)
    store.failNext()
    try await host.perform { root in root.interactor.savedState.number = 3 }
    await journal.wait(for: "save: Failed()")
    try await host.perform { root in try await root.interactor.checkpoint() }
    #expect(store.numbers.last == 3)
    await host.shutdown()
  }

  @Test("lets no checkpoint wait for a store that hangs when its task is cancelled, or the tree has ended")
  func cancelled() async throws {
    let gate = Gate()
    let store = Store(gate: gate)
    let host = try await host(store)
    let journal = Journal()
    try await host.perform { root in
      root.interactor.task {
        do { try await root.interactor.checkpoint() } catch { journal.write("\(type(of: error))") }
      }
    }
    try await host.perform { root in root.interactor.savedState.number = 1 }
    await host.shutdown()
    #expect(journal.lines == ["CancellationError"] || journal.lines.isEmpty)
    gate.open()
  }

  @Test("is not saved by a checkpoint without a store, nor outside a tree")
  func without() async throws {
    let host = await TreeHost { SavedRouter() }
    try await host.perform { root in try await root.interactor.checkpoint() }
    await host.shutdown()
    let interactor = SavedInteractor()
    interactor.setNeedsSave()
    await #expect(throws: TreeEnded.self) { try await interactor.checkpoint() }
  }
}

extension TreeHost where Root == SavedRouter {
  fileprivate func document() async throws -> String {
    String(decoding: try await save().encoded(by: JSONStateCoder()), as: UTF8.self)
  }
}
