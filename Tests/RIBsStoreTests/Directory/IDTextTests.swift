// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import TestSupport
import Testing

@testable import RIBsStore

@Suite("An ID of a directory", .tearsDown)
struct IDTextTests {
  /// IDs that are equal if they differ in case only.
  struct Address: Hashable, Sendable, LosslessStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static func == (a: Address, b: Address) -> Bool { a.description.lowercased() == b.description.lowercased() }

    func hash(into hasher: inout Hasher) { hasher.combine(description.lowercased()) }
  }

  /// Equal IDs have one text, however they are written.
  struct CanonicalAddress: Hashable, Sendable, LosslessStringConvertible {
    let description: String

    init(_ text: String) { description = text.lowercased() }
  }

  /// IDs that are equal if they differ in spaces only.
  struct Phone: Hashable, Sendable, LosslessStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    private var digits: String { description.filter { $0 != " " } }

    static func == (a: Phone, b: Phone) -> Bool { a.digits == b.digits }

    func hash(into hasher: inout Hasher) { hasher.combine(digits) }
  }

  /// IDs whose text is not read.
  struct Code: Hashable, Sendable, LosslessStringConvertible {
    let number: Int

    init(number: Int) { self.number = number }

    init?(_ text: String) {
      guard let number = Int(text) else { return nil }
      self.number = number
    }

    var description: String { "#\(number)" }
  }

  private func directory<ID: Hashable & Sendable & LosslessStringConvertible>(
    of: ID.Type, in store: MemoryStore
  ) -> TreeDirectory<ID, AccountRouter> {
    TreeDirectory("account", in: store, onEvent: { _ in }) { _ in AccountRouter(Bank()) }.shutDownAtEnd()
  }

  @Test("is refused if it is written in two ways, and leaves nothing in the store")
  func ambiguous() async throws {
    let store = MemoryStore()
    let accounts = directory(of: Address.self, in: store)
    let error = AmbiguousID(text: "Ann", otherText: "ann")
    await #expect(throws: error) { try await accounts.perform(on: Address("Ann")) { _ in } }
    await #expect(throws: error) { try await accounts.perform(onExisting: Address("Ann")) { _ in } }
    await #expect(throws: error) { try await accounts.remove(Address("Ann")) }
    await #expect(throws: AmbiguousID(text: "ann", otherText: "ANN")) { try await accounts.host(for: Address("ann")) }
    await accounts.shutdown()
    let codes = directory(of: Code.self, in: store)
    await #expect(throws: AmbiguousID(text: "#7", otherText: nil)) {
      try await codes.perform(on: Code(number: 7)) { _ in }
    }
    await codes.shutdown()
    #expect(store.records.isEmpty)
  }

  @Test("has one tree and one record if equal IDs have one description")
  func canonical() async throws {
    let store = MemoryStore()
    let accounts = directory(of: CanonicalAddress.self, in: store)
    #expect(try await accounts.deposit(on: CanonicalAddress("Ann")) == 1)
    #expect(try await accounts.deposit(on: CanonicalAddress("ANN")) == 2)
    await accounts.shutdown()
    #expect(store.records.keys.map(\.id) == ["ann"])
  }

  @Test("is refused if its tree is awake under another text")
  func awake() async throws {
    let store = MemoryStore()
    let accounts = directory(of: Phone.self, in: store)
    #expect(try await accounts.deposit(on: Phone("1 2")) == 1)
    let error = AmbiguousID(text: "12", otherText: "1 2")
    await #expect(throws: error) { try await accounts.deposit(on: Phone("12")) }
    await #expect(throws: error) { try await accounts.host(for: Phone("12")) }
    await #expect(throws: error) { try await accounts.remove(Phone("12")) }
    #expect(try await accounts.deposit(on: Phone("1 2")) == 2)
    await accounts.shutdown()
    #expect(store.records.keys.map(\.id) == ["1 2"])
  }

  @Test("that was stored in two ways before is quarantined when its tree is to be restored, with the reason")
  func stored() async throws {
    let store = MemoryStore()
    try await SavedTrees(store: store, kind: "account").save("Ann", "", isAwake: true)
    let journal = Journal()
    let accounts = TreeDirectory("account", in: store, onEvent: { journal.write("\($0)") }) { (_: Address) in
      AccountRouter(Bank())
    }.shutDownAtEnd()
    accounts.start()
    while accounts.quarantined.isEmpty { await Task.yield() }
    #expect(accounts.quarantined[Address("ann")] as? AmbiguousID == AmbiguousID(text: "Ann", otherText: "ann"))
  }

  @Test("is not tried again later if the store can't hold it", arguments: [false, true])
  func impossible(isObserved: Bool) async throws {
    let folder = try TemporaryFolder()
    let files = try FileStore(directory: folder.path)
    let store = isObserved ? StoreHealth(patience: .seconds(60)).observing(files) : files
    let directory = TreeDirectory("room", in: store, onEvent: { _ in }) { (_: String) in AccountRouter(Bank()) }
      .shutDownAtEnd()
    let id = String(repeating: "A", count: 81)
    await #expect(throws: (any Error).self) { try await directory.perform(on: id) { _ in } }
    #expect(directory.state.withLock { $0.reopenings.isEmpty && $0.attempts.isEmpty })
  }
}
