// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Foundation
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A directory with a store", .tearsDown)
struct StoredDirectoryTests {
  /// A store in memory whose saves wait, fail, or are refused as the test says.
  final class ControlledStore: ForwardingStore {
    struct Failed: Error {}

    let memory: MemoryStore
    var base: any TreeStore { memory }
    let journal = Journal()
    private let gate = Locked<Gate?>(nil)
    let failures = Shared(0)

    init(clock: TestClock = TestClock()) { memory = MemoryStore(clock: clock) }

    /// The number of saves that have begun, each of any number of trees.
    var commits: Int { journal.lines.count { $0 == "save" } }

    func holdSaves() -> Gate {
      let gate = Gate()
      self.gate.withLock { $0 = gate }
      return gate
    }

    func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
      journal.write("save")
      if let gate = gate.withLock({ $0 }) { await gate.passStubbornly() }
      for record in records { journal.write("\(record.key) \(record.version)") }
      if failures.take() { throw Failed() }
      return try await memory.save(records)
    }
  }

  private let bank = Bank()
  private let clock = TestClock()
  private let store: ControlledStore
  private let key = TreeKey(kind: "account", id: "1")

  private let directory: TreeDirectory<Int, AccountRouter>
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    store = ControlledStore(clock: clock)
    directory = bank.directory(in: store, clock: clock)
  }

  private func balance(_ id: Int) -> String? {
    store.memory.records[TreeKey(kind: "account", id: "\(id)")].map { record in
      let text = String(decoding: record.document, as: UTF8.self)
      return String(text.split(separator: "\"balance\":").last?.prefix { $0.isNumber || $0 == "-" } ?? "")
    }
  }

  /// Moves the clock forward, round by round of the directory, until a condition holds.
  private func advance(until condition: () -> Bool) async { await clock.advance(yields: 1_000, until: condition) }

  /// The number of failures of each tree that has failed.
  private var failures: [Int: Int] {
    let failed = bank.journal.lines.filter { $0.contains(" has failed") }.compactMap { Int($0.prefix { $0 != " " }) }
    return Dictionary(failed.map { ($0, 1) }, uniquingKeysWith: +)
  }

  @Test("answers a call when its changes are saved, or at once if the call asks for that")
  func answering() async throws {
    try await directory.deposit(on: 1)
    #expect(balance(1) == "1")
    let gate = store.holdSaves()
    let commits = store.commits
    #expect(try await directory.deposit(on: 1, answering: .atOnce) == 2)
    let saved = Task {
      defer { bank.journal.write("answered") }
      return try await directory.deposit(on: 1)
    }
    // A call that only reads what is not saved waits too.
    let read = Task {
      defer { bank.journal.write("answered") }
      return try await directory.balance(of: 1)
    }
    await store.journal.wait(for: "save", count: commits + 1)
    #expect(try await directory.balance(of: 1, answering: .atOnce) >= 2)
    #expect(!bank.journal.lines.contains("answered"))
    gate.open()
    #expect(try await saved.value == 3)
    #expect(try await read.value >= 2)
    #expect(balance(1) == "3")
  }

  @Test("restores a tree that was passivated, by the call that needs it")
  func passivation() async throws {
    let directory = bank.directory(in: store, limit: 1)
    for round in 1...3 {
      for id in 1...2 { #expect(try await directory.deposit(on: id) == round) }
    }
    #expect(
      bank.journal.lines.filter { $0.contains("1") } == [
        "build 1", "1 was opened", "1 was idle and was ended", "build 1", "1 was restored", "1 was idle and was ended",
        "build 1", "1 was restored", "1 was idle and was ended",
      ])
    #expect(store.memory.awakeKeys == [TreeKey(kind: "account", id: "2")])
    await directory.shutdown()
    #expect(store.memory.awakeKeys.isEmpty)
  }

  @Test("saves the last changes of a tree that ends itself, and restores it as it ended")
  func ending() async throws {
    try await directory.perform(on: 1) {
      _ = $0.interactor.deposit(5)
      $0.interactor.close()
    }
    #expect(balance(1) == "5")
    await bank.journal.wait(for: "1 has ended: 1:Account ended it")
    #expect(store.memory.awakeKeys.isEmpty)
    // It ends again as soon as it is restored: its state says so.
    await #expect(throws: TreeEnded.self) { try await directory.perform(on: 1) { _ in } }
    #expect(balance(1) == "5")
  }

  @Test("ends a tree unsaved that another owner has claimed, and its waiting calls say so")
  func fenced() async throws {
    let (one, other) = (bank.directory(in: store, clock: clock), bank.directory(in: store, clock: clock))
    try await one.deposit(on: 1)
    clock.advance(by: .seconds(11))
    #expect(try await other.deposit(on: 1) == 2)
    await #expect(throws: TreeElsewhere(key: key, address: "")) { try await one.deposit(100, on: 1) }
    await bank.journal.wait(for: "\(DirectoryEvent.fenced(1))")
    #expect(balance(1) == "2")
    #expect(one.count == 0)
    await one.shutdown()
    #expect(try await other.deposit(on: 1) == 3)
  }

  @Test("throws TreeElsewhere from a call that reaches its tree after it has ended because of another owner")
  func fencedBeforeCall() async throws {
    let (bank, late) = (Bank(), OwnThread())
    let store = FaultyStore(MemoryStore()) { call in
      switch call.function {
      case .claim: .waits
      case .save: .isRefused
      default: nil
      }
    }
    let directory = bank.directory(in: store)
    let elsewhere = TreeElsewhere(key: key, address: "")
    let call = Task(executorPreference: late) { try await directory.deposit(on: 1) }
    await store.waitForWaitingCall()
    // The call waits for the opening now. It learns of its end after the tree has been fenced.
    late.hold()
    store.resume()
    await bank.journal.wait(for: "\(DirectoryEvent.opened(1))")
    await #expect(throws: elsewhere) { try await directory.deposit(100, on: 1) }
    await bank.journal.wait(for: "\(DirectoryEvent.fenced(1))")
    late.resume()
    await #expect(throws: elsewhere) { try await call.value }
  }

  /// A directory with a lease that has deposited 1 in tree 1, and whose process is suspended then.
  private func suspended(in store: any TreeStore) async throws -> TreeDirectory<Int, AccountRouter> {
    let (directory, running) = bank.directory(in: store, clock: clock, address: "one:80").running()
    await clock.waitForSleeper()
    try await directory.deposit(on: 1)
    await running.end()
    return directory
  }

  @Test("names the address of the process that holds a tree, until its lease has ended; that one ends its trees")
  func leases() async throws {
    let store = FaultyStore(store.memory) { $0.function == .revive ? .isRefused : nil }
    let one = try await suspended(in: store)
    let other = bank.directory(in: store, clock: clock, address: "other:80")
    await #expect(throws: TreeElsewhere(key: key, address: "one:80")) { try await other.deposit(on: 1) }
    #expect(!bank.journal.lines.contains { $0.contains("has failed") })
    clock.advance(by: .seconds(11))
    #expect(try await other.deposit(on: 1) == 2)
    one.start()
    await bank.journal.wait(for: "\(DirectoryEvent<Int>.leaseLost)")
    await bank.journal.wait(for: "\(DirectoryEvent.fenced(1))")
  }

  @Test("keeps its lease beside a directory of another kind with the same address")
  func kindsOfProcess() async throws {
    let store = MemoryStore(clock: clock)
    // Long, so that on a busy machine no renewal comes too late for the clock of the test.
    let lease = Duration.seconds(200)
    let accounts = bank.directory(in: store, clock: clock, address: "one:80", configure: { $0.lease = lease })
    let drivers = TreeDirectory(
      "driver", in: store, configuration: DirectoryConfiguration(lease: lease, address: "one:80", clock: clock),
      onEvent: { [bank] (event: DirectoryEvent<Int>) in bank.journal.write("\(event)") },
      build: { [bank] _ in AccountRouter(bank) }
    ).shutDownAtEnd()
    accounts.start()
    drivers.start()
    for _ in 0..<30 {
      try await accounts.deposit(on: 1)
      try await drivers.deposit(on: 1)
      await clock.pass(.seconds(10), by: .seconds(1))
    }
    #expect(try await accounts.balance(of: 1) == 30)
    #expect(try await drivers.balance(of: 1) == 30)
    #expect(bank.journal.lines.count { $0.contains("was restored") || $0.contains("lease") } == 0)
  }

  @Test("does not answer from a tree that another process may have, when its lease has ended unnoticed")
  func unnoticedEndOfLease() async throws {
    let store = MemoryStore(clock: clock)
    let one = try await suspended(in: store)
    clock.advance(by: .seconds(11))
    let other = bank.directory(in: store, clock: clock, address: "other:80")
    #expect(try await other.deposit(on: 1) == 2)
    await #expect(throws: TreeElsewhere(key: key, address: "")) { try await one.balance(of: 1) }
    await bank.journal.wait(for: "\(DirectoryEvent.fenced(1))")
    #expect(!bank.journal.lines.contains("\(DirectoryEvent<Int>.leaseRevived(fenced: 1))"))
  }

  @Test("answers no call in the last tenth of its lease before the store has renewed it", arguments: [false, true])
  func marginOfLease(_ isStoreDown: Bool) async throws {
    let memory = MemoryStore(clock: clock)
    let store = FaultyStore(memory) { call in
      isStoreDown && call.function == .renew && call.numberOfFunction > 1 ? .failsBeforeEffect : nil
    }
    func renewals() -> Int { store.calls.count { $0.function == .renew } }
    let one = try await suspended(in: store)
    clock.advance(by: .milliseconds(8_900))
    #expect(try await one.balance(of: 1) == 1)
    #expect(renewals() == 1)
    clock.advance(by: .milliseconds(200))
    if isStoreDown {
      await #expect(throws: StoreFault.self) { try await one.balance(of: 1) }
      #expect(bank.journal.lines.contains("\(DirectoryEvent<Int>.leaseEnded)"))
      // No other process can have the tree yet.
      let claim = try await memory.claim(key, by: TreeOwner(address: "other:80"), schema: 1)
      #expect(claim == .elsewhere(address: "one:80#account"))
    } else {
      #expect(try await one.balance(of: 1) == 1)
    }
    #expect(renewals() == 2)
  }

  @Test("counts its lease from before the renewal was sent, however late the answer is")
  func lateRenewal() async throws {
    let store = FaultyStore(MemoryStore(clock: clock)) { call in
      call.function == .renew ? (call.numberOfFunction == 1 ? .waits : .failsBeforeEffect) : nil
    }
    let (directory, running) = bank.directory(in: store, clock: clock, address: "one:80").running()
    await store.waitForWaitingCall()
    clock.advance(by: .milliseconds(8_500))
    store.resume()
    await clock.waitForSleeper()
    try await directory.deposit(on: 1)
    await running.end()
    clock.advance(by: .milliseconds(1_600))
    await #expect(throws: StoreFault.self) { try await directory.balance(of: 1) }
  }

  @Test("answers after a long pause from a tree in a store for one process")
  func pauseWithoutLeases() async throws {
    let directory = try await suspended(in: FileStore(directory: folder.path))
    clock.advance(by: .seconds(3_600))
    #expect(try await directory.balance(of: 1) == 1, "\(bank.journal.lines)")
    #expect(!bank.journal.lines.contains("\(DirectoryEvent<Int>.leaseLost)"))
    await directory.shutdown()
  }

  @Test("ends a tree that was being opened when the lease was revived")
  func openingAtEndOfLease() async throws {
    let store = FaultyStore(MemoryStore(clock: clock)) { $0.function == .claim ? .waits : nil }
    let (directory, running) = bank.directory(in: store, clock: clock, address: "one:80").running()
    await clock.waitForSleeper()
    let call = Task { try await directory.balance(of: 1) }
    await store.waitForWaitingCall()
    await running.end()
    clock.advance(by: .seconds(11))
    directory.start()
    await bank.journal.wait(for: "\(DirectoryEvent<Int>.leaseRevived(fenced: 0))")
    store.resume()
    await bank.journal.wait(for: "\(DirectoryEvent.fenced(1))")
    _ = try? await call.value
  }

  @Test("renews its lease while it restores trees")
  func renewalDuringRecovery() async throws {
    let memory = MemoryStore(clock: clock)
    let dead = bank.directory(in: memory, clock: clock)
    try await dead.deposit(on: 1)
    clock.advance(by: .seconds(11))
    let store = FaultyStore(memory) { $0.function == .claim ? .waits : nil }
    bank.directory(in: store, clock: clock, address: "one:80").start()
    await store.waitForWaitingCall()
    await advance { store.calls.count { $0.function == .renew } == 3 }
    #expect(!bank.journal.lines.contains("\(DirectoryEvent.restored(1))"))
    store.resume()
    await bank.journal.wait(for: "\(DirectoryEvent.restored(1))")
  }

  @Test("does not open what a later schema has saved")
  func laterSchema() async throws {
    let later = bank.directory(in: store, schema: 2)
    try await later.deposit(on: 1)
    await later.shutdown()
    #expect(store.memory.records[key]?.schema == 2)
    let earlier = bank.directory(in: store, schema: 1)
    await #expect(throws: LaterSchema(key: key, saved: 2, known: 1)) { try await earlier.perform(on: 1) { _ in } }
  }

  @Test("quarantines a tree whose record can't be read, and leaves the record as it is")
  func unreadable() async throws {
    try await SavedTrees(store: store.memory, kind: "account").save("1", "{}")
    for _ in 0..<3 {
      await #expect(throws: SavedTree.RestoreError.self) { try await directory.perform(on: 1) { _ in } }
    }
    await #expect(throws: TreeQuarantined.self) { try await directory.perform(on: 1) { _ in } }
    await directory.shutdown()
    #expect(store.memory.records[key]?.document == Array("{}".utf8))
  }

  @Test("quarantines a tree whose file is damaged, also if its removal fails, and leaves the file as it is")
  func damagedFile() async throws {
    let store = try FileStore(directory: folder.path)
    let first = Bank().directory(in: store)
    try await first.deposit(on: 1)
    await first.shutdown()
    await store.close()
    let file = folder.path + "/account/asleep/1.json"
    try "damaged".write(toFile: file, atomically: false, encoding: .utf8)
    let directory = bank.directory(in: try FileStore(directory: folder.path))
    for _ in 0..<3 { await #expect(throws: FileStoreError.self) { try await directory.perform(on: 1) { _ in } } }
    await #expect(throws: TreeQuarantined.self) { try await directory.perform(on: 1) { _ in } }
    await #expect(throws: FileStoreError.self) { try await directory.remove(1) }
    #expect(directory.quarantined.keys.sorted() == [1])
    await #expect(throws: TreeQuarantined.self) { try await directory.perform(on: 1) { _ in } }
    #expect(failures == [1: 3])
    #expect(try await directory.deposit(on: 2) == 1)
    await directory.shutdown()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "damaged")
  }

  @Test("repeats a save with the same version while the store fails; calls that change nothing are answered")
  func storeDown() async throws {
    for id in 1...2 { try await directory.deposit(on: id) }
    store.failures.value = 3
    let call = Task { try await directory.deposit(on: 1) }
    for pause in [100, 200, 400] {
      await clock.waitForSleeper()
      #expect(try await directory.balance(of: 2) == 1)
      clock.advance(by: .milliseconds(pause))
    }
    #expect(try await call.value == 2)
    let saves = store.journal.lines.filter { $0.hasPrefix("account/1 ") }
    #expect(saves.suffix(4).count == 4 && Set(saves.suffix(4)).count == 1)
    #expect(
      bank.journal.lines.suffix(2) == [
        "\(DirectoryEvent<Int>.storeFailed(ControlledStore.Failed()))", "\(DirectoryEvent<Int>.storeRecovered)",
      ])
  }

  @Test("saves many trees in one commit")
  func groupCommit() async throws {
    for id in 0..<100 { try await directory.deposit(on: id) }
    let gate = store.holdSaves()
    let before = store.commits
    await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<100 { group.addTask { try await directory.deposit(on: id) } }
      await store.journal.wait(for: "save", count: before + 1)
      // All others have changed while the first commit is held.
      for id in 0..<100 {
        while (try? await directory.balance(of: id, answering: .atOnce)) != 2 { await Task.yield() }
      }
      gate.open()
    }
    #expect(store.commits - before <= 4)
  }

  @Test("marks trees with bound work as awake when it is shut down, so that the next process continues it")
  func shutdownWithWork() async throws {
    for id in 1...2 { try await directory.deposit(10, on: id) }
    try await directory.perform(on: 2) { $0.interactor.begin(3) }
    #expect(await directory.shutdown().ended == 2)
    #expect(store.memory.awakeKeys == [TreeKey(kind: "account", id: "2")])
    let next = Bank()
    next.gate.open()
    next.directory(in: store, clock: clock).start()
    await next.journal.wait(for: "2 was restored")
    while balance(2) != "7" { await Task.yield() }
    #expect(balance(1) == "10")
  }

  @Test("reports the trees that could not be saved before the timeout of its shutdown")
  func unsavedAtShutdown() async throws {
    for id in 1...2 { try await directory.deposit(on: id) }
    let gate = store.holdSaves()
    let commits = store.commits
    let call = Task { try await directory.deposit(on: 1) }
    await store.journal.wait(for: "save", count: commits + 1)
    let report = Task { await directory.shutdown(timeout: .seconds(5)) }
    await clock.waitForSleeper()
    clock.advance(by: .seconds(5))
    #expect(await report.value.unsaved.contains(1))
    gate.open()
    _ = await call.result
  }

  @Test("refuses calls while it shuts down, and reports the work of saved trees that is still running at the timeout")
  func unfinishedAtShutdown() async throws {
    func saves(of id: Int) -> Int { store.journal.lines.count { $0.hasPrefix("account/\(id) ") } }
    for id in 1...3 {
      try await directory.perform(on: id) { root in
        _ = root.interactor.deposit(1)
        guard id > 1 else { return }
        root.interactor.task("stubborn", overlap: .concurrent) {
          await withTaskCancellationHandler {
            await bank.gate.passStubbornly()
          } onCancel: {
            bank.journal.write("cancelled")
          }
        }
      }
    }
    let saved = (1...3).map(saves)
    // A busy machine may ask the trees late for their reports.
    let report = LimitedShutdown.$grace.withValue(.seconds(600)) {
      Task { await directory.shutdown(timeout: .seconds(5)) }
    }
    await clock.waitForSleeper()
    await bank.journal.wait(for: "1 has ended: it was shut down")
    await bank.journal.wait(for: "cancelled", count: 2)
    // The trees with work are released, which follows their last save.
    while (1...3).map(saves) != saved.map({ $0 + 1 }) { await Task.yield() }
    await #expect(throws: DirectoryEnded.self) { try await directory.perform(on: 1) { _ in } }
    await #expect(throws: DirectoryEnded.self) { try await directory.remove(1) }
    clock.advance(by: .seconds(5))
    let ended = await report.value
    #expect(ended.unsaved.isEmpty && ended.ended == 1)
    #expect(ended.unfinished.keys.sorted() == [2, 3])
    #expect(ended.unfinished[2]?.unfinishedTasks.map(\.path.description) == ["2:Account"])
    bank.gate.open()
  }

  @Test("throws the error of a state that can't be encoded at each call, and does not end the tree as idle")
  func unencodable() async throws {
    let directory = bank.directory(in: store, clock: clock, idleAfter: .seconds(2), limit: 1)
    try await directory.deposit(on: 1)
    await #expect(throws: EncodingError.self) {
      try await directory.perform(on: 1) { root in
        root.interactor.savedState.rate = .infinity
        return root.interactor.deposit(1)
      }
    }
    await #expect(throws: EncodingError.self) { try await directory.balance(of: 1) }
    // Ending it would lose the deposit.
    await #expect(throws: DirectoryFull(limit: 1)) { try await directory.perform(on: 2) { _ in } }
    #expect(balance(1) == "1")
    try await directory.perform(on: 1) { $0.interactor.savedState.rate = 0 }
    #expect(balance(1) == "2")
    try await directory.perform(on: 2) { _ in }
  }

  @Test("restores a tree that ends with a state that can't be encoded as it was last saved, and reports the failure")
  func unencodableEnd() async throws {
    try await directory.deposit(on: 1)
    await #expect(throws: EncodingError.self) {
      try await directory.perform(on: 1) { root in
        root.interactor.savedState.rate = .infinity
        root.interactor.close()
      }
    }
    while failures[1, default: 0] == 0 { await Task.yield() }
    // It has not ended, so its work has not: it is still awake.
    #expect(store.memory.awakeKeys == [key])
    #expect(try await directory.deposit(on: 1) == 2)
  }

  @Test("opens the trees that can be opened, once in a round, among many that can't")
  func manyDamagedFiles() async throws {
    let store = try FileStore(directory: folder.path)
    try await Bank.saveWork(of: 999..<1_000, in: store)
    await store.close()
    for id in 100..<600 {
      try "damaged".write(toFile: folder.path + "/account/awake/\(id).json", atomically: false, encoding: .utf8)
    }
    try "foreign".write(toFile: folder.path + "/account/awake/none.json", atomically: false, encoding: .utf8)
    let (directory, running) = bank.directory(in: try FileStore(directory: folder.path), clock: clock).running()
    await bank.journal.wait(for: "999 was restored")
    // The clock stands still, so this is the first round.
    while failures.count < 500 { await Task.yield() }
    #expect(failures == Dictionary(uniqueKeysWithValues: (100..<600).map { ($0, 1) }))
    #expect(directory.quarantined.isEmpty)
    await advance { directory.quarantined.count == 500 }
    #expect(failures == Dictionary(uniqueKeysWithValues: (100..<600).map { ($0, 3) }))
    await running.end()
    let report = await directory.shutdown()
    // Those in quarantine were not awake.
    #expect(report.ended == 1 && report.unsaved.isEmpty, "\(report)")
  }

  @Test("finds the trees that can be opened in a store that lists many others first")
  func foreignKeys() async throws {
    let memory = MemoryStore()
    let trees = SavedTrees(store: memory, kind: "account")
    // No integers, and before the integer in the order of the keys.
    for number in 0..<600 { try await trees.save("-\(number)-", "", isAwake: true) }
    try await Bank.saveWork(of: 1..<2, in: memory)
    bank.directory(in: memory, clock: clock).start()
    await bank.journal.wait(for: "1 was restored")
  }

  @Test(
    "releases a tree that it can't restore or build, so that another process can open it", arguments: [false, true])
  func releaseAfterFailure(_ isUnreadable: Bool) async throws {
    let document = isUnreadable ? "{}" : "{\"format\":1,\"ribs\":[{\"rib\":\"Account\"}]}"
    try await SavedTrees(store: store.memory, kind: "account").save("1", document, isAwake: true)
    let successor = Bank()
    let one = bank.directory(in: store, clock: clock, address: "one:80")
    bank.builds.value = isUnreadable ? 0 : 1
    // As `run()` does, so that others respect the claims.
    let running = one.start()
    while failures[1, default: 0] == 0 { await Task.yield() }
    await running.end()
    await store.journal.wait(for: "\(key) 2")
    while store.memory.awakeKeys != [key] { await Task.yield() }
    let other = successor.directory(in: store, clock: clock, address: "other:80")
    if isUnreadable {
      await #expect(throws: SavedTree.RestoreError.self) { try await other.perform(on: 1) { _ in } }
    } else {
      #expect(try await other.deposit(on: 1) == 1)
    }
    #expect(store.memory.records[key]?.document == Array(document.utf8) || !isUnreadable)
  }

  @Test("renews its lease, and opens and ends other trees, while a builder hangs")
  func hangingBuilder() async throws {
    let memory = MemoryStore(clock: clock)
    try await Bank.saveWork(of: 1..<4, in: memory)
    let gate = Gate()
    let store = FaultyStore(memory)
    let directory = bank.directory(in: store, clock: clock, idleAfter: .seconds(3), address: "one:80") { id in
      if id == 1 { await gate.pass() }
    }
    bank.gate.open()
    directory.start()
    await bank.journal.wait(for: "2 was restored")
    await bank.journal.wait(for: "3 was restored")
    await advance {
      Set(bank.journal.lines).isSuperset(of: ["2 was idle and was ended", "3 was idle and was ended"])
    }
    let renewals = store.calls.count { $0.function == .renew }
    await advance { store.calls.count { $0.function == .renew } > renewals + 2 }
    #expect(!bank.journal.lines.contains("1 was restored"))
    #expect(!bank.journal.lines.contains("\(DirectoryEvent<Int>.leaseLost)"))
    gate.open()
    await bank.journal.wait(for: "1 was restored")
  }

  @Test("opens at most 16 trees at once that no call waits for, and stops when it is cancelled meanwhile")
  func manyHangingBuilders() async throws {
    let memory = MemoryStore(clock: clock)
    try await Bank.saveWork(of: 0..<40, in: memory)
    let (builds, gate) = (Journal(), Gate())
    let store = FaultyStore(memory)
    let directory = bank.directory(in: store, clock: clock, address: "one:80") { _ in
      builds.write("build")
      await gate.passStubbornly()
    }
    let running = directory.start()
    await builds.wait(for: "build", count: 16)
    let renewals = store.calls.count { $0.function == .renew }
    await advance { store.calls.count { $0.function == .renew } > renewals + 2 }
    #expect(builds.lines.count == 16)
    // A call does not wait for them.
    let call = Task { try await directory.perform(on: 100) { _ in } }
    await builds.wait(for: "build", count: 17)
    await running.end()
    gate.open()
    try await call.value
  }

  @Test("ends other idle trees while one can't be saved")
  func unsavableTree() async throws {
    let isBroken = Locked(false)
    let store = FaultyStore(MemoryStore(clock: clock)) { call in
      call.function == .save && call.keys.contains(key) && isBroken.withLock { $0 } ? .failsBeforeEffect : nil
    }
    let directory = bank.directory(in: store, clock: clock, idleAfter: .seconds(2))
    try await directory.deposit(on: 1)
    isBroken.withLock { $0 = true }
    directory.start()
    await advance { bank.journal.lines.contains { $0.contains("the store has failed") } }
    // The release of tree 1 is repeated, and fails.
    let other = Task { try await directory.deposit(on: 2) }
    await advance { bank.journal.lines.contains("2 was idle and was ended") }
    #expect(try await other.value == 1)
    isBroken.withLock { $0 = false }
    await advance { bank.journal.lines.contains("1 was idle and was ended") }
  }

  @Test("quarantines a tree that fails three times until it is retried, with a new count after it has run for a minute")
  func trialPeriod() async throws {
    func fail(_ count: Int) async throws {
      try await directory.perform(on: 1) { $0.interactor.fail(AccountInteractor.Failed()) }
      while failures[1, default: 0] < count { await Task.yield() }
    }
    for count in 1...2 {
      try await directory.deposit(on: 1)
      try await fail(count)
    }
    try await directory.deposit(on: 1)
    clock.advance(by: .seconds(61))
    for count in 3...4 {
      try await fail(count)
      #expect(directory.quarantined.isEmpty)
      try await directory.deposit(on: 1)
    }
    try await fail(5)
    #expect(directory.quarantined.keys.sorted() == [1])
    while directory.count > 0 { await Task.yield() }
    await #expect(throws: TreeQuarantined.self) { try await directory.perform(on: 1) { _ in } }
    #expect(balance(1) == "5")
    directory.retry(1)
    #expect(try await directory.deposit(on: 1) == 6)
  }

  @Test("is not brought back after its removal by a save that had begun")
  func removalDuringSave() async throws {
    try await directory.deposit(on: 1)
    let gate = store.holdSaves()
    let commits = store.commits
    try await directory.deposit(on: 1, answering: .atOnce)
    await store.journal.wait(for: "save", count: commits + 1)
    let removal = Task { try await directory.remove(1) }
    gate.open()
    try await removal.value
    #expect(store.memory.records.isEmpty)
  }

  @Test("does not build a tree again that was removed when it was to be restored", arguments: [false, true])
  func removalBeforeReopening(isRetried: Bool) async throws {
    for count in 1...(isRetried ? 3 : 1) {
      try await directory.deposit(on: 1)
      try await directory.perform(on: 1) { $0.interactor.fail(AccountInteractor.Failed()) }
      while failures[1, default: 0] < count { await Task.yield() }
    }
    if isRetried { directory.retry(1) }
    try await directory.remove(1)
    let builds = bank.journal.lines.count { $0 == "build 1" }
    directory.start()
    await clock.pass(.seconds(10), by: .milliseconds(100))
    #expect(bank.journal.lines.count { $0 == "build 1" } == builds)
    #expect(try await directory.perform(onExisting: 1) { _ in } == nil)
    // A call may build it.
    #expect(try await directory.deposit(on: 1) == 1)
  }

  @Test("ends a tree for another one as soon as its changes are saved")
  func idleWhenSaved() async throws {
    let directory = Bank().directory(in: store, limit: 1)
    let count = Thoroughness.count(usual: 500, share: 2_000, whole: 2_000)
    for id in 1...count { try await directory.deposit(on: id) }
    #expect(store.memory.records.count == count)
  }
}
