// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A tree that is saved while it runs")
struct CheckpointTests {
  private let gate = Gate()

  /// Keeps what is saved, and answers when the test says so.
  final class Store: TreeSaving {
    struct Failed: Error {}

    let journal = Journal()
    /// The saves that have begun.
    let begins = Journal()
    private let failures = Locked<[Bool]>([])
    let gate: Gate?
    private let held: String?

    /// - Parameters:
    ///   - gate: what saves wait for.
    ///   - held: what the document of a save that waits contains; nil for all saves.
    init(gate: Gate? = nil, holding held: String? = nil) {
      self.gate = gate
      self.held = held
    }

    func failNext() { failures.withLock { $0.append(true) } }

    func save(_ saved: SavedTree) async throws {
      let document = String(decoding: try saved.encoded(by: JSONStateCoder()), as: UTF8.self)
      if held.map(document.contains) ?? true {
        begins.write("save")
        await gate?.pass()
      }
      if failures.withLock({ $0.popLast() }) != nil {
        journal.write("failed")
        throw Failed()
      }
      journal.write(document)
    }

    var numbers: [Int] {
      journal.lines.compactMap { $0.split(separator: "\"number\":").dropFirst().first }
        .compactMap { Int($0.prefix { $0.isNumber }) }
    }
  }

  private let store = Store()
  /// The failures of saves.
  private let journal = Journal()

  private func host(_ store: Store? = nil) async -> TreeHost<SavedRouter> {
    await TreeHost(
      configuration: TreeConfiguration(
        saving: store ?? self.store, onFailure: { [journal] in journal.write("\($0.work?.key ?? ""): \($0.error)") })
    ) { SavedRouter() }
  }

  @Test("is saved when a state or the children have changed, several changes at once")
  func changes() async throws {
    let host = await host()
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
      let fresh = await self.host(store)
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
    let host = await host()
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

  @Test("reports the error of a save whose checkpoint was cancelled")
  func unheard() async throws {
    let store = Store(gate: gate, holding: "\"number\":1")
    let host = await host(store)
    try await host.perform { root in
      root.interactor.savedState.number = 1
      root.interactor.task("wait", overlap: .concurrent) { try await root.interactor.checkpoint() }
    }
    await store.begins.wait(for: "save")
    try await host.perform { root in root.interactor.cancel("wait") }
    store.failNext()
    gate.open()
    await journal.wait(for: "save: Failed()")
    await host.shutdown()
  }

  @Test("lets no checkpoint wait for a store that hangs when its task is cancelled, or the tree has ended")
  func cancelled() async throws {
    let store = Store(gate: gate)
    let host = await host(store)
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

  /// The ways in which a tree ends.
  enum Ending: String, CaseIterable, Sendable {
    case shutdown, byItself, failure, release

    var isSaved: Bool { self == .shutdown || self == .byItself }

    @Sendable func end(_ host: TreeHost<SavedRouter>) async throws {
      switch self {
      case .shutdown: await host.shutdown()
      case .byItself: try await host.perform { $0.interactor.endTree() }
      case .failure: try await host.perform { $0.interactor.fail(Failure()) }
      case .release: await host.endUnsaved()
      }
    }
  }

  @Test(
    "is saved one last time as it was before its RIBs resigned, unless it fails or is released",
    arguments: Ending.allCases)
  func lastSave(_ ending: Ending) async throws {
    let store = Store(gate: gate)
    let host = await host(store)
    await store.begins.wait(for: "save")
    // The first save is held, so that the changes are not captured before the end.
    let unsaved = try await host.unsaved { root in
      root.interactor.changesWhenResigning = true
      root.interactor.savedState.number = 5
      root.slot.route = .leaf(1)
    }
    try await ending.end(host)
    gate.open()
    let result = try #require(await unsaved?.value)
    if ending.isSaved {
      try result.get()
      #expect(store.numbers.last == 5)
      #expect(store.journal.lines.last?.contains("\"at\":\"slot\"") == true)
    } else {
      #expect(throws: (any Error).self) { try result.get() }
      #expect(!store.numbers.contains(5) && !store.numbers.contains(-5))
    }
    await host.shutdown()
  }

  /// Ends its tree when its state is read, which it should not.
  private final class EndingInteractor: Interactor, Saving {
    var isEnding = false
    var savedState: Int {
      get {
        if isEnding { endTree() }
        return 7
      }
      set {}
    }
  }

  @Test("ends once, with its last changes saved, although reading a state ends it too", arguments: [false, true])
  func endedByState(isEndedFirst: Bool) async throws {
    let ends = Journal()
    let host = await TreeHost(
      configuration: TreeConfiguration(leakDetection: .off, saving: store, onEnd: { ends.write("\($0)") })
    ) { Router(interactor: EndingInteractor()) }
    try await host.perform { root in try await root.interactor.checkpoint() }
    let count = store.journal.lines.count
    let unsaved = try await host.unsaved { root in
      root.interactor.isEnding = true
      root.interactor.setNeedsSave()
      if isEndedFirst { root.endTree() }
    }
    try await #require(unsaved).value.get()
    #expect(store.journal.lines.count == count + 1)
    #expect(store.journal.lines.last?.contains("7") == true)
    #expect(ends.lines.count == 1)
    await host.shutdown()
  }

  @Test("is saved again by the next call that asks whether all is saved if its last save has failed")
  func unsavedAfterFailure() async throws {
    let host = await host()
    try await host.perform { root in try await root.interactor.checkpoint() }
    #expect(try await host.unsaved { _ in } == nil)
    for _ in 0..<2 {
      store.failNext()
      let unsaved = try await host.unsaved { root in
        root.interactor.savedState.number = 5
      }
      await #expect(throws: Store.Failed.self) { try await unsaved?.value.get() }
      // It only reads, but what it reads is not saved.
      store.failNext()
      let still = try await host.unsaved { _ in }
      let result = try #require(await still?.value)
      #expect(throws: Store.Failed.self) { try result.get() }
      #expect(await !host.home.endIfIdle(alsoAsleep: false).isEnded)
    }
    let retried = try await host.unsaved { _ in }
    try await #require(retried?.value).get()
    #expect(store.numbers.last == 5)
    #expect(try await host.unsaved { _ in } == nil)
    await host.shutdown()
  }

  @Test("reports a last save that has failed, and refuses to say that all is saved")
  func failedLastSave() async throws {
    let store = Store(gate: gate)
    let host = await host(store)
    await store.begins.wait(for: "save")
    try await host.perform { root in root.interactor.savedState.number = 5 }
    store.failNext()
    store.failNext()
    await host.shutdown()
    gate.open()
    await journal.wait(for: "save: Failed()", count: 2)
    let unsaved = try #require(await host.home.endSaving().unsaved)
    await #expect(throws: Store.Failed.self) { try await unsaved.answer.value.get() }
  }

  @Test("is not ended as idle if it has ended by itself and its last save is not complete")
  func endedWhileIdle() async throws {
    let store = Store(gate: gate)
    let host = await host(store)
    try await host.perform { root in
      root.interactor.savedState.number = 5
      root.interactor.endTree()
    }
    #expect(await !host.home.endIfIdle(alsoAsleep: false).isEnded)
    gate.open()
    await host.shutdown()
  }

  @Test("is saved when a covered RIB that a stack keeps has changed, or a container or a RIB below it")
  func covered() async throws {
    let host = await host()
    try await host.perform { root in
      root.kept.push(.leaf(1))
      root.other = root.kept.child as? SavedRouter
      root.other?.slot.route = .leaf(2)
      root.kept.push(.leaf(3))
    }
    try await host.perform { root in try await root.interactor.checkpoint() }
    let changes: [@Sendable (SavedRouter) -> Void] = [
      { $0.interactor.savedState.number = 42 },
      { ($0.slot.child as? SavedRouter)?.interactor.savedState.number = 43 },
      { $0.slot.route = .leaf(4) },
      { $0.slot.route = nil },
      { $0.released.push(.leaf(5)) },
      { ($0.released.child as? SavedRouter)?.kept.push(.leaf(6)) },
      { $0.released.removeAll() },
    ]
    for change in changes {
      let unsaved = try await host.unsaved { root in
        if let covered = root.other { change(covered) }
      }
      try await #require(unsaved?.value).get()
      #expect(try await store.journal.lines.last == host.document())
    }
    await host.shutdown()
  }

  @Test("is saved when the last route of a stack is removed whose child other code has detached")
  func emptiedStack() async throws {
    for removesAll in [false, true] {
      let store = Store()
      let host = await host(store)
      try await host.perform { root in
        root.kept.push(.leaf(1))
        if let child = root.kept.child { root.detachChild(child) }
      }
      try await host.perform { root in try await root.interactor.checkpoint() }
      let unsaved = try await host.unsaved { root in
        if removesAll { root.kept.removeAll() } else { root.kept.pop() }
      }
      try await #require(unsaved?.value).get()
      #expect(try await store.journal.lines.last == host.document())
      #expect(try await host.unsaved { $0.kept.removeAll() } == nil)
      await host.shutdown()
    }
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

extension TreeHost {
  /// - Returns: the answer of the save that a call waits for; nil if everything is saved.
  nonisolated(nonsending) func unsaved(_ body: @escaping @Sendable (Root) throws -> Void) async throws -> TreeSaver
    .Answer?
  {
    try await performUnsaved(fileID: #fileID, line: #line, body).1?.answer
  }

  fileprivate func document() async throws -> String {
    String(decoding: try await save().encoded(by: JSONStateCoder()), as: UTF8.self)
  }
}
