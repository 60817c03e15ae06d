// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting

/// A RIB with a balance that is saved, and transfers that run as bound work from its state.
final class AccountInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable {
    var balance = 0
    var transfers: [Int] = []
    var isClosed = false
    /// JSON can't encode infinity.
    var rate = 0.0
    /// Nil, or a text that makes the document large.
    var note: String?
  }

  struct Failed: Error {}

  var savedState = SavedState() { didSet { setNeedsSave() } }
  private let bank: Bank

  init(_ bank: Bank) { self.bank = bank }

  override func didBecomeActive() {
    super.didBecomeActive()
    for amount in savedState.transfers { transfer(amount) }
    if savedState.isClosed { endTree() }
  }

  func deposit(_ amount: Int) -> Int {
    savedState.balance += amount
    return savedState.balance
  }

  func begin(_ amount: Int) {
    savedState.transfers.append(amount)
    transfer(amount)
  }

  func close() {
    savedState.isClosed = true
    endTree()
  }

  private func transfer(_ amount: Int) {
    task("transfer \(amount)", overlap: .ignoreWhileRunning) {
      await self.bank.gate.pass()
      try Task.checkCancellation()
      self.savedState.transfers.removeAll { $0 == amount }
      self.savedState.balance -= amount
    }
  }
}

final class AccountRouter: Router<AccountInteractor> {
  convenience init(_ bank: Bank) { self.init(interactor: AccountInteractor(bank)) }
}

/// What the accounts of a test share.
final class Bank: Sendable {
  let journal = Journal()
  let gate = Gate()
  let builds = Shared(0)

  /// A directory that writes its events to the journal.
  ///
  /// - Parameter opening: makes the builder asynchronous: it waits for this.
  func directory(
    in store: (any TreeStore)? = nil, clock: any Clock<Duration> = TestClock(), idleAfter: Duration? = nil,
    limit: Int = .max, address: String = "", schema: Int = 1,
    opening: (@Sendable (Int) async -> Void)? = nil,
    configure: (inout DirectoryConfiguration) -> Void = { _ in }
  ) -> TreeDirectory<Int, AccountRouter> {
    var configuration = DirectoryConfiguration(
      idleAfter: idleAfter, limit: limit, address: address, backoff: .exponential(jitter: 0), clock: clock)
    configure(&configuration)
    let onEvent = { @Sendable [journal] (event: DirectoryEvent<Int>) in journal.write("\(event)") }
    let tree = { @Sendable (_: Int) in TreeConfiguration(leakDetection: .off, onFailure: { _ in }) }
    guard let opening else {
      return TreeDirectory(
        "account", in: store, schema: schema, configuration: configuration, tree: tree, onEvent: onEvent
      ) { [self] id in try build(id) }.shutDownAtEnd()
    }
    return TreeDirectory(
      "account", in: store, schema: schema, configuration: configuration, tree: tree, onEvent: onEvent
    ) { [self] id -> sending AccountRouter in
      await opening(id)
      return try build(id)
    }.shutDownAtEnd()
  }

  /// Saves trees with work, which continues in the next process.
  static func saveWork(of ids: Range<Int>, in store: any TreeStore) async throws {
    let directory = Bank().directory(in: store)
    for id in ids { try await directory.perform(on: id) { $0.interactor.begin(4) } }
    await directory.shutdown()
  }

  private func build(_ id: Int) throws -> AccountRouter {
    journal.write("build \(id)")
    if builds.take() { throw AccountInteractor.Failed() }
    return AccountRouter(self)
  }
}

extension TreeDirectory where Root == AccountRouter {
  /// Deposits an amount, and returns the balance.
  @discardableResult
  func deposit(_ amount: Int = 1, on id: ID, answering: Answering = .whenSaved) async throws -> Int {
    try await perform(on: id, answering: answering) { $0.interactor.deposit(amount) }
  }

  func balance(of id: ID, answering: Answering = .whenSaved) async throws -> Int {
    try await perform(on: id, answering: answering) { $0.interactor.savedState.balance }
  }
}

extension Shared where Value == Int {
  /// Whether something is still to happen, which counts as one time less then.
  func take() -> Bool {
    change { count in
      guard count > 0 else { return false }
      count -= 1
      return true
    }
  }
}
