// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs
internal import Synchronization

extension TreeDirectory {
  /// Restores trees that were awake when their process died, trees that have failed, and trees that the store may have given to
  /// this process for a call that has failed; wakes trees whose time has come, renews the lease, and ends idle trees, until the
  /// calling task is cancelled or the directory is shut down.
  ///
  /// Call it once, in a task that lives as long as the directory is used. Without it, calls work, but no tree is
  /// restored after a crash or woken, no idle tree is ended, and the lease is renewed by calls alone. It opens at most
  /// `DirectoryConfiguration.opensAtOnce` trees at the same time, those first whose time is oldest. A builder that hangs
  /// occupies one of these, and delays neither the renewals nor the end of idle trees.
  ///
  /// If the limit is reached, or the process is above its memory limit, it ends trees that have been idle for the longest time.
  /// If none is idle, the trees that are due wait for a later round. A tree that was woken and not called since is ended as soon
  /// as it is idle.
  public func run() async {
    runs.add(1, ordering: .relaxed)
    defer { runs.subtract(1, ordering: .relaxed) }
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled, !isEnded.load(ordering: .relaxed) {
        uses.add(1, ordering: .relaxed)
        // Before trees are restored: it ends the lease of the process that had the address before.
        await renewLeaseIfNeeded()
        if let storage, beginNotingStarts() {
          group.addTask {
            await self.noteStarts(in: storage)
            self.state.withLock { $0.isNotingStarts = false }
          }
        }
        if beginRecovery() {
          group.addTask {
            if let storage = self.storage { await self.recoverTrees(in: storage) }
            await self.reopenTrees()
            self.state.withLock { $0.isRecovering = false }
          }
        }
        endIdleTrees()
        endTreesAboveMemoryLimit()
        try? await configuration.clock.sleep(for: configuration.interval)
      }
      group.cancelAll()
    }
  }

  /// - Returns: false if the recovery of an earlier round has not ended.
  private func beginRecovery() -> Bool {
    state.withLock { state in
      defer { state.isRecovering = true }
      return !state.isRecovering
    }
  }

  /// - Returns: false if the notes of an earlier round have not ended.
  private func beginNotingStarts() -> Bool {
    state.withLock { state in
      defer { state.isNotingStarts = true }
      return !state.isNotingStarts
    }
  }

  func reopen(_ key: Key, after pause: Duration) {
    let time = now() + pause.boundedTimeout
    state.withLock { $0.reopenings[key] = time }
  }

  /// Opens the trees again that have failed or may be claimed, and whose pause is over.
  private func reopenTrees() async {
    let time = now()
    let keys = state.withLock { state in
      let keys = state.reopenings.filter { $0.value <= time }.map(\.key)
      for key in keys { state.reopenings[key] = nil }
      return keys
    }
    await recover(keys, for: .reopening)
  }

  /// Opens trees, some at the same time. Returns when the last one is being opened, or the calling task is cancelled.
  private func recover(_ keys: [Key], for purpose: OpeningPurpose) async {
    for key in keys {
      do { try await recoveries.enter() } catch { return }
      Task.detached {
        await self.recover(key, for: purpose)
        self.recoveries.leave()
      }
    }
  }

  /// Opens the trees that were awake when their owner died, and those whose time has come.
  ///
  /// Opened trees are no longer due, so few keys are in memory, however many trees are due.
  private func recoverTrees(in storage: DirectoryStorage) async {
    var tried: Set<TreeKey> = []
    var lastUse = uses.load(ordering: .relaxed)
    // Trees that can't be opened stay due. The limit grows by their number, so that they don't hide the others.
    var stuck: Set<TreeKey> = []
    do {
      while !Task.isCancelled, !isEnded.load(ordering: .relaxed) {
        let limit = 256 + stuck.count
        let due = try await storage.store.due(kind, limit: limit, schema: storage.schema)
        stuck.formUnion(due.lazy.filter(tried.contains))
        tried.subtract(stuck)
        let new = due.filter { !stuck.contains($0) }
        tried.formUnion(new)
        for key in new.compactMap({ ID($0.id) }).map({ Key($0) }) {
          // Not those that wait for another attempt.
          guard state.withLock({ $0.reopenings[key] == nil }) else { continue }
          guard await hasRoom() else { return }
          await recover([key], for: .due)
        }
        guard due.count >= limit else { return }
        // Those that have failed meanwhile don't wait for the end of a long queue.
        await reopenTrees()
        guard tried.count > 4_096 else { continue }
        // A store may list trees that can't be opened in turn. If all of these are such trees, the rest waits for a later round.
        let use = uses.load(ordering: .relaxed)
        guard use != lastUse else { return }
        (tried, lastUse) = ([], use)
      }
    } catch {
      report(.storeFailed(error))
    }
  }

  /// Whether another tree can be opened. If the limit is reached, ends a tree that is idle.
  private func hasRoom() async -> Bool {
    let endings = endings.load(ordering: .acquiring)
    if count + recoveries.used < configuration.limit { return true }
    return await makeRoom(since: endings)
  }

  // MARK: Starts

  /// Notes the trees that have started since the last round and were not saved, so that they are no suspects if the process
  /// ends later. Then finds the trees that are quarantined in the store.
  private func noteStarts(in storage: DirectoryStorage) async {
    let started: [(key: Key, writer: TreeWriter)] = table.entries.compactMap { key, entry in
      guard case .open(let tree) = entry, let writer = tree.writer, !writer.hasStarted.load(ordering: .relaxed) else {
        return nil
      }
      return (key, writer)
    }
    do {
      for first in stride(from: 0, to: started.count, by: 1_000) {
        let part = started[first..<min(first + 1_000, started.count)]
        try await storage.store.note(part.map { $0.writer.start(.succeeded) })
        for (_, writer) in part { writer.hasStarted.store(true, ordering: .relaxed) }
        state.withLock { state in for (key, _) in part { state.startsOfOthers[key] = nil } }
      }
      try await findQuarantined(in: storage)
    } catch {
      report(.storeFailed(error))
    }
  }

  private func findQuarantined(in storage: DirectoryStorage) async throws {
    let retried = retries.load(ordering: .sequentiallyConsistent)
    let known = table.entries.compactMap { key, entry in entry.isQuarantinedInStore ? key : nil }
    let listed = try await storage.store.quarantined(kind)
    if listed.isEmpty, known.isEmpty { return }
    let starts = Dictionary(
      listed.compactMap { key, starts in ID(key.id).map { (Key($0), starts) } }, uniquingKeysWith: { first, _ in first }
    )
    for (key, starts) in starts {
      let isNew = table.update(key) { entry, _ in
        guard entry == nil, retries.load(ordering: .sequentiallyConsistent) == retried else { return false }
        entry = .quarantined(starts)
        return true
      }
      if isNew { report(.quarantined(key.id, starts)) }
    }
    // Those that another process has retried.
    for key in known where starts[key] == nil {
      table.update(key) { entry, _ in if entry?.isQuarantinedInStore == true { entry = nil } }
    }
  }

  // MARK: Idle trees

  /// Ends the trees that are idle for long enough. Does not wait: a tree that can't be saved would stop the others.
  private func endIdleTrees() {
    guard let idleTime = configuration.idleAfter else { return }
    let time = now()
    for case (let key, .open(let tree)) in table.entries
    where tree.calls.load(ordering: .relaxed) == 0
      && (tree.isUnusedSinceWake || tree.idleTime(at: time) >= idleTime)
    {
      endSoon(tree, key)
    }
  }

  /// While the process uses too much memory, ends a growing part of the trees that have been idle for the longest time. It
  /// grows, because trees whose bound work runs come first as well and stay, and because memory is freed late.
  private func endTreesAboveMemoryLimit() {
    guard let limit = configuration.memoryLimit else { return }
    let isAbove = configuration.residentMemory().map { $0 > limit } ?? false
    let rounds = state.withLock { state in
      state.roundsAboveMemoryLimit = isAbove ? min(state.roundsAboveMemoryLimit + 1, 16) : 0
      return state.roundsAboveMemoryLimit
    }
    guard rounds > 0 else { return }
    let unused = findCandidates()
    for (key, tree, _) in unused.suffix(max(unused.count / 16, 64) * rounds) { endSoon(tree, key) }
  }

  // MARK: The lease

  /// Renews the lease after a third of its time.
  private func renewLeaseIfNeeded() async {
    guard let storage, now() >= state.withLock({ $0.renewal }) else { return }
    await renewLease(in: storage)
  }

  /// Renews the lease. If it has ended, revives it, and ends the trees that another owner has claimed meanwhile.
  ///
  /// - Returns: the error of the store.
  @discardableResult
  func renewLease(in storage: DirectoryStorage) async -> (any Error)? {
    let (lease, renewing, isFirst) = state.withLock { state in
      if let renewing = state.renewing { return (state.lease, renewing, false) }
      let renewing = Promise<(any Error)?>()
      state.renewing = renewing
      return (state.lease, renewing, true)
    }
    guard isFirst else { return await renewing.value }
    let time = now()
    var failure: (any Error)?
    do {
      if lease.isReviving {
        try await revive(lease, in: storage)
      } else if try await storage.store.renew(lease.owner, for: configuration.lease) {
        didRenew(lease, at: time)
      } else if lease.awaitsRenewal {
        lose(lease)
      } else {
        try await revive(lease, in: storage)
      }
    } catch {
      failure = error
      report(.storeFailed(error))
      // No other owner needs to have claimed the trees, so they continue, and answer no call.
      if !lease.holds(at: now.inNanoseconds()), lease.end() { report(.leaseEnded) }
    }
    state.withLock { $0.renewing = nil }
    renewing.set(failure)
    return failure
  }

  /// - Parameter time: before the request, so that the lease ends here before it ends in the store.
  private func didRenew(_ lease: Lease, at time: Duration) {
    lease.extend(to: time + configuration.reliableLease)
    state.withLock { $0.renewal = time + configuration.lease / 3 }
  }

  /// Renews a lease that has ended in the store, and ends the trees that another owner has claimed meanwhile.
  private func revive(_ lease: Lease, in storage: DirectoryStorage) async throws {
    // Also if it holds by the clock of this process.
    let hasEnded = lease.end()
    // Between two calls of a directory that does not run, the lease ends, too.
    let isEvent = !hasEnded || runs.load(ordering: .relaxed) > 0
    if hasEnded, isEvent { report(.leaseEnded) }
    // Before the trees are listed: one that is put into the table later finds that a revival has begun.
    lease.beginRevival()
    let held = table.entries.compactMap { _, entry -> TreeWriter? in
      switch entry {
      case .open(let tree), .closing(_, let tree?): tree.lease === lease ? tree.writer : nil
      case .opening, .closing, .quarantined: nil
      }
    }
    let fences = Dictionary(held.map { ($0.key, $0.fence) }, uniquingKeysWith: { first, _ in first })
    let time = now()
    guard let lost = try await storage.store.revive(lease.owner, for: configuration.lease, holding: fences) else {
      return lose(lease)
    }
    // Before the lease holds again.
    for writer in held where lost.contains(writer.key) { writer.fenceOff() }
    didRenew(lease, at: time)
    if isEvent { report(.leaseRevived(fenced: lost.count)) }
  }

  private func lose(_ lease: Lease) {
    guard lease.lose() else { return }
    state.withLock { state in
      state.lease = Lease(TreeOwner(address: configuration.address, of: kind), isRequired: true)
      state.renewal = .zero
    }
    for case (let key, .open(let tree)) in table.entries where tree.lease === lease {
      treeWasFenced(key, tree.number)
    }
    report(.leaseLost)
  }

  /// Whether no other owner can have changed a tree. Does not ask the store.
  @usableFromInline
  func isOwned(_ tree: OpenTree<Root>) -> Bool { tree.isOwned(at: now) }

  /// Waits until a call can be answered: until the changes that it has seen are saved, and no other owner can have changed the
  /// tree before the call began.
  ///
  /// - Parameter unsaved: nil if the call has seen no unsaved changes.
  /// - Throws: `TreeElsewhere` if another process has the tree; the error of the store if it can't tell; that of the save.
  @usableFromInline
  nonisolated(nonsending) func settle(
    _ unsaved: TreeSaver.PendingSave?, of tree: OpenTree<Root>, _ key: Key
  ) async throws {
    if let unsaved {
      try await unsaved.answer.result()
      // The store has accepted a save that began after the call: no other owner had claimed the tree until then.
      guard unsaved.hasBegun else { return }
    }
    if !isOwned(tree) { try await confirm(tree, key) }
  }

  /// Renews the lease before a call is answered with what it has read. The lease may have ended meanwhile, as when the
  /// process was suspended, and another owner may have changed the tree.
  ///
  /// - Throws: `TreeElsewhere` if another process has the tree; the error of the store if it can't tell.
  private nonisolated(nonsending) func confirm(_ tree: OpenTree<Root>, _ key: Key) async throws {
    var failure: (any Error)?
    if let storage, let writer = tree.writer, !writer.isFenced.load(ordering: .acquiring) {
      failure = await renewLease(in: storage)
    }
    if !tree.isOwned(at: now) { throw failure ?? TreeElsewhere(key: treeKey(key), address: "") }
  }

  // MARK: Shutdown

  /// Saves, ends and releases all trees, so that other processes can claim them.
  ///
  /// Calls that are made afterwards throw `DirectoryEnded`. The shutdown cancels bound work. The next process that runs a
  /// directory on the store restores the trees that had some, so that their work continues. Those whose work only slept are
  /// woken when their time has come.
  ///
  /// - Parameter timeout: how long to wait, on the clock of the directory, for saves and for bound work that ignores its
  ///   cancellation. Without a timeout this waits until all trees are saved, or the calling task is cancelled: the trees
  ///   are saved and end then, but nothing waits for them.
  /// - Returns: the trees that could not be saved in time, and the work that was still running.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> DirectoryReport<ID> {
    isEnded.store(true, ordering: .sequentiallyConsistent)
    endFollowers()
    // Before the timeout starts, so that a tree which a busy machine has not begun to save counts as unsaved.
    let keys = table.entries.map(\.key)
    let ending = DirectoryEnding(of: keys.map(\.id))
    let end = Promise<Void>()
    Task.detached {
      await self.end(keys, ending)
      // Releases trees that were claimed, and whose openings or releases have failed.
      if let storage = self.storage {
        _ = try? await storage.store.renew(self.state.withLock { $0.lease.owner }, for: .zero)
      }
      end.set(())
    }
    guard let timeout else {
      await withTaskCancellationHandler {
        await end.value
      } onCancel: {
        end.set(())
      }
      return ending.report
    }
    let timer = Task.detached { [self] in
      try? await configuration.clock.wait(for: timeout)
      guard !Task.isCancelled else { return }
      storage?.queue.abandon()
      await ending.expire(after: timeout) { unanswered(Key($0), after: timeout) }
      end.set(())
    }
    await end.value
    timer.cancel()
    return ending.report
  }

  private func end(_ keys: [Key], _ ending: DirectoryEnding<ID>) async {
    // All at once, because one whose work ignores its cancellation must not delay others. Not as the children of a group,
    // which finds each that ends in a list of all.
    for key in keys {
      Task.detached {
        await self.end(key, ending)
        ending.didEnd()
      }
    }
    await ending.ended.value
  }

  private func end(_ key: Key, _ ending: DirectoryEnding<ID>) async {
    var wasClosing = false
    while true {
      let entry = table.update(key) { entry, _ in entry }
      switch entry {
      case .opening(let opening): _ = await opening.result.value
      case .closing(let closed, _):
        await closed.end.value
        wasClosing = true
      case .quarantined: return ending.skip(key.id)
      // A tree that was passivated meanwhile has ended. Another one could not be opened.
      case nil: return wasClosing ? ending.didSave(key.id) : ending.skip(key.id)
      case .open(let tree):
        guard let (_, closed) = table.beginClosing(key, tree.number, ifUnused: false) else { continue }
        let (hadWork, wakes, unsaved) = await tree.host.home.endSaving()
        let shutdown = tree.host.beginShutdown()
        // Before the tree counts as saved: a timeout reports what it still does.
        ending.begin(shutdown, of: key.id)
        async let ended: Void = ending.end(shutdown, of: key.id)
        let isSaved = if let unsaved { (try? await unsaved.answer.value.get()) != nil } else { true }
        if isSaved {
          ending.didSave(key.id)
          // Work that only slept does not make it awake: the next process wakes it.
          _ = await release(tree, isAwake: hadWork && wakes == nil, wakes: wakes)
        }
        await ended
        return finishClosing(key, closed, .ended(key.id, .shutDown))
      }
    }
  }
}

/// The result of `TreeDirectory.shutdown(timeout:)`.
public struct DirectoryReport<ID: Hashable & Sendable>: Sendable, CustomStringConvertible {
  /// The number of trees that were saved and ended in time, without those that were quarantined or could not be opened.
  public let ended: Int
  /// The trees whose last changes could not be saved in time. The next process restores them as they were last saved.
  public let unsaved: [ID]
  /// The trees whose bound work had not ended in time, with the work that still ran; and those that did not answer, with the
  /// code that ran.
  public let unfinished: [ID: ShutdownReport]

  /// The report as text, with one line for each tree that was not saved or has unfinished work.
  public var description: String {
    var text = ended == 1 ? "1 tree has ended." : "\(ended) trees have ended."
    for id in unsaved { text += "\n  \(id) was not saved" }
    for (id, report) in unfinished { text += "\n  \(id): \(report)" }
    return text
  }
}

/// The progress of a shutdown.
final class DirectoryEnding<ID: Hashable & Sendable>: Sendable {
  fileprivate struct State {
    var unsaved: Set<ID>
    var saved = 0
    var unfinished: [ID: ShutdownReport] = [:]
    /// The trees that are ending.
    var shutdowns: [ID: LimitedShutdown] = [:]
    /// The timeout, once it has passed.
    var expired: Duration?
    /// The number of trees that have not ended.
    var rest: Int
  }

  private let state: Locked<State>
  /// A promise that is fulfilled when all trees have ended.
  let ended = Promise<Void>()
  /// How long to wait for the trees' own reports after the timeout.
  private let grace = LimitedShutdown.grace

  /// - Parameter ids: the trees, which are unsaved at first.
  init(of ids: [ID]) {
    state = Locked(State(unsaved: Set(ids), rest: ids.count))
    if ids.isEmpty { ended.set(()) }
  }

  /// Counts a tree that has ended.
  func didEnd() {
    let rest = state.withLock { state in
      state.rest -= 1
      return state.rest
    }
    if rest == 0 { ended.set(()) }
  }

  /// Removes a tree that was not awake.
  func skip(_ id: ID) { state.withLock { _ = $0.unsaved.remove(id) } }

  func didSave(_ id: ID) {
    state.withLock { state in
      state.unsaved.remove(id)
      state.saved += 1
    }
  }

  /// Adds a tree that is ending.
  func begin(_ shutdown: LimitedShutdown, of id: ID) { state.withLock { $0.shutdowns[id] = shutdown } }

  /// Waits until a tree has ended, or the timeout has passed.
  func end(_ shutdown: LimitedShutdown, of id: ID) async {
    if let expired = state.withLock(\.expired) {
      await LimitedShutdown.expire([shutdown], after: expired, grace: grace)
    }
    let report = await shutdown.report.value
    shutdown.finish()
    state.withLock { $0.end(id, report) }
  }

  /// Makes the trees that are still ending report what they wait for.
  ///
  /// - Parameter unanswered: what a tree runs that has not begun to end, because it does not answer; nil for others.
  func expire(after timeout: Duration, _ unanswered: (ID) -> ShutdownReport?) async {
    let shutdowns = state.withLock { state in
      state.expired = timeout
      return Array(state.shutdowns.values)
    }
    await LimitedShutdown.expire(shutdowns, after: timeout, grace: grace)
    for id in state.withLock({ state in state.unsaved.filter { state.shutdowns[$0] == nil } }) {
      if let report = unanswered(id) { state.withLock { $0.end(id, report) } }
    }
    // Also those that began meanwhile.
    while let (id, shutdown) = state.withLock({ $0.shutdowns.first }) {
      let report = await shutdown.report.value
      state.withLock { $0.end(id, report) }
    }
  }

  var report: DirectoryReport<ID> {
    state.withLock { state in
      let unfinished = state.unfinished.keys.count { !state.unsaved.contains($0) }
      return DirectoryReport(
        ended: state.saved - unfinished, unsaved: Array(state.unsaved), unfinished: state.unfinished)
    }
  }
}

extension DirectoryEnding.State {
  fileprivate mutating func end(_ id: ID, _ report: ShutdownReport) {
    shutdowns[id] = nil
    let isFinished = report.unfinishedTasks.isEmpty && report.busy == nil
    if !isFinished { unfinished[id] = report }
  }
}
