// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("A call of a tree that must exist", .tearsDown)
struct ExistingTreeTests {
  @Test("builds no tree of an unknown ID, and leaves nothing in the store", arguments: [false, true])
  func unknown(isStored: Bool) async throws {
    let store = FaultyStore(MemoryStore())
    let directory = Bank().directory(in: isStored ? store : nil)
    #expect(try await directory.perform(onExisting: 1) { $0.interactor.savedState.balance } == nil)
    #expect(try await directory.host(forExisting: 1) == nil)
    #expect(directory.count == 0 && directory.ids.isEmpty)
    #expect(store.calls.map(\.function) == (isStored ? [.contains, .contains] : []))
  }

  @Test("is made of a tree that is awake or stored", arguments: [false, true])
  func known(isStored: Bool) async throws {
    let store = MemoryStore()
    let directory = Bank().directory(in: isStored ? store : nil)
    try await directory.deposit(5, on: 1)
    #expect(try await directory.perform(onExisting: 1) { $0.interactor.deposit(2) } == 7)
    #expect(try await directory.host(forExisting: 1)?.isActive == true)
    await directory.shutdown()
    let next = Bank().directory(in: isStored ? store : nil)
    #expect(try await next.perform(onExisting: 1) { $0.interactor.savedState.balance } == (isStored ? 7 : nil))
  }

  @Test("does not end another tree to look for an unknown one")
  func limit() async throws {
    let directory = Bank().directory(in: MemoryStore(), limit: 1)
    try await directory.deposit(5, on: 1)
    #expect(try await directory.perform(onExisting: 2) { _ in true } == nil)
    #expect(directory.ids == [1])
  }

  @Test("returns nil, and a call beside it that may build the tree builds it")
  func both() async throws {
    let store = FaultyStore(MemoryStore()) { $0.function == .contains ? .waits : nil }
    let directory = Bank().directory(in: store)
    async let looked = directory.perform(onExisting: 1) { $0.interactor.savedState.balance }
    await store.waitForWaitingCall()
    // Joins the opening that is under way, or begins one after it: the result is the same.
    async let deposited = directory.deposit(5, on: 1)
    for _ in 0..<1_000 { await Task.yield() }
    store.resume()
    #expect(try await looked == nil)
    #expect(try await deposited == 5)
  }

  @Test("throws the error of a store that is out of reach")
  func failing() async throws {
    let directory = Bank().directory(in: FaultyStore(MemoryStore()) { _ in .failsBeforeEffect })
    await #expect(throws: StoreFault.self) { try await directory.perform(onExisting: 1) { _ in } }
  }

  @Test("of two thousand unknown IDs leaves no file")
  func files() async throws {
    try await withTemporaryDirectory { path in
      let store = try FileStore(directory: path)
      let directory = Bank().directory(in: store)
      for id in 0..<2_000 { #expect(try await directory.perform(onExisting: id) { _ in true } == nil) }
      await directory.shutdown()
      await store.close()
      let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
      #expect(!files.contains { $0.contains("account") })
      #expect(store.claimCount == 0)
    }
  }
}

@Suite("A new tree of a directory", .tearsDown)
struct NewTreeTests {
  /// Attaches a child when it becomes active, and another one when it is asked to.
  private final class FamilyRouter: Router<Interactor> {
    private let gate: Gate?

    init(_ gate: Gate?) {
      self.gate = gate
      super.init(interactor: Interactor())
    }

    override func didLoad() {
      super.didLoad()
      add()
      if let gate { interactor.task("work", overlap: .ignoreWhileRunning) { await gate.pass() } }
    }

    func add() { attachChild(Router(interactor: Interactor())) }
  }

  private func families(in store: any TreeStore, _ gate: Gate? = nil) -> TreeDirectory<Int, FamilyRouter> {
    TreeDirectory("family", in: store, tree: { _ in TreeConfiguration(leakDetection: .off) }, onEvent: { _ in }) { _ in
      FamilyRouter(gate)
    }.shutDownAtEnd()
  }

  @Test("is not written before it changes, although its launch attaches a child")
  func unchanged() async throws {
    let store = MemoryStore()
    let families = families(in: store)
    #expect(try await families.perform(on: 1) { $0.children.count } == 1)
    #expect(store.records.isEmpty)
    try await families.perform(on: 1) { $0.add() }
    #expect(store.records.count == 1)
    #expect(try await families.perform(on: 2) { $0.children.count } == 1)
    await families.shutdown()
    #expect(store.records.count == 1)
    let next = self.families(in: store)
    #expect(try await next.perform(on: 2) { $0.children.count } == 1)
  }

  @Test("is written when bound work of its launch runs, so that the work starts again if the process dies")
  func working() async throws {
    let (store, gate) = (MemoryStore(), Gate())
    let families = families(in: store, gate)
    #expect(try await families.perform(on: 1) { $0.children.count } == 1)
    #expect(store.awakeKeys == [TreeKey(kind: "family", id: "1")])
    gate.open()
  }
}
