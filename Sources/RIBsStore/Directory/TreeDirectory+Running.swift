public import RIBs
internal import Synchronization

extension TreeDirectory {
  /// Restores trees that were awake when their process died and trees that have failed, renews the lease, and ends idle
  /// trees, until the calling task is cancelled or the directory is shut down.
  ///
  /// Call it once, in a task that lives as long as the directory is used. Without it, calls work, but nothing else
  /// happens.
  public func run() async {
    if let storage, storage.store.isShared { state.withLock { $0.lease }.require() }
    while !Task.isCancelled, !isEnded.load(ordering: .relaxed) {
      await runRound()
      try? await configuration.clock.sleep(for: configuration.interval)
    }
  }

  private func runRound() async {
    uses.add(1, ordering: .relaxed)
    // Before trees are restored: it ends the lease of the process that had the address before.
    await renewLeaseIfNeeded()
    if let storage { await recoverTrees(in: storage) }
    await reopenTrees()
    await endIdleTrees()
  }

  func reopen(_ key: Key, after pause: Duration) {
    let time = now() + pause
    state.withLock { $0.reopenings[key] = time }
  }

  private func reopenTrees() async {
    let time = now()
    let keys = state.withLock { state in
      let keys = state.reopenings.filter { $0.value <= time }.map(\.key)
      for key in keys { state.reopenings[key] = nil }
      return keys
    }
    await recover(keys)
  }

  /// Opens trees, some at the same time. Many may take longer than a lease, so it is renewed meanwhile.
  private func recover(_ keys: [Key]) async {
    await withTaskGroup(of: Void.self) { group in
      for (index, key) in keys.enumerated() {
        if index >= 16 { await group.next() }
        group.addTask {
          await self.recover(key)
          await self.renewLeaseIfNeeded()
        }
      }
    }
  }

  /// Opens the trees that were awake when their owner died.
  private func recoverTrees(in storage: DirectoryStorage) async {
    let limit = 256
    do {
      while !Task.isCancelled, !isEnded.load(ordering: .relaxed) {
        let due = try await storage.store.due(kind, limit: limit, schema: storage.schema)
        let room = configuration.limit - count
        guard !due.isEmpty, room > 0 else { return }
        let ids = due.prefix(room).compactMap { ID($0.id) }
        await recover(ids.map { Key($0) })
        // What is left is looked at in the next round: trees that can't be opened would be found again and again.
        guard ids.count == limit else { return }
      }
    } catch {
      report(.storeFailed(error))
    }
  }

  // MARK: Idle trees

  private func endIdleTrees() async {
    guard let idleTime = configuration.idleAfter else { return }
    let time = now()
    var idle: [(Key, OpenTree<Root>)] = []
    for case (let key, .open(let tree)) in table.entries
    where tree.calls.load(ordering: .relaxed) == 0 && tree.idleTime(at: time) >= idleTime {
      idle.append((key, tree))
    }
    await withTaskGroup(of: Void.self) { group in
      for (key, tree) in idle {
        group.addTask {
          await self.closeIfIdle(key, tree)
          await self.renewLeaseIfNeeded()
        }
      }
    }
  }

  // MARK: The lease

  /// Renews the lease after a third of its time.
  private func renewLeaseIfNeeded() async {
    guard let storage, now() >= state.withLock({ $0.renewal }) else { return }
    await renewLease(in: storage)
  }

  /// Renews the lease. If that fails for too long, ends all trees: another owner may have them.
  func renewLease(in storage: DirectoryStorage) async {
    let (lease, renewing, isFirst) = state.withLock { state in
      if let renewing = state.renewing { return (state.lease, renewing, false) }
      let renewing = Promise<Void>()
      state.renewing = renewing
      return (state.lease, renewing, true)
    }
    guard isFirst else { return await renewing.value }
    let time = now()
    do {
      if try await storage.store.renew(lease.owner, for: configuration.lease) {
        // Counted from before the request, so that it ends here before it ends in the store.
        if storage.store.isShared { lease.extend(to: time + configuration.lease) }
        state.withLock { $0.renewal = time + configuration.lease / 3 }
      } else {
        lose(lease)
      }
    } catch {
      report(.storeFailed(error))
      if !lease.holds(at: now()) { lose(lease) }
    }
    state.withLock { $0.renewing = nil }
    renewing.set(())
  }

  private func lose(_ lease: Lease) {
    guard lease.lose() else { return }
    state.withLock { state in
      state.lease = Lease(TreeOwner(address: configuration.address), isRequired: true)
      state.renewal = .zero
    }
    for case (let key, .open(let tree)) in table.entries where tree.lease === lease {
      treeWasFenced(key, tree.number)
    }
    report(.leaseLost)
  }

  /// Whether no other owner can have changed a tree, as far as is known without asking the store.
  @usableFromInline
  func isOwned(_ tree: OpenTree<Root>) -> Bool { tree.isOwned(at: now()) }

  /// Makes sure that what a call has read was not changed by another owner: the lease may have ended meanwhile, as when
  /// the process was suspended.
  @usableFromInline
  nonisolated(nonsending) func confirm(_ tree: OpenTree<Root>, _ key: Key) async throws {
    if let storage, let writer = tree.writer, !writer.isFenced.load(ordering: .acquiring) {
      await renewLease(in: storage)
    }
    if !tree.isOwned(at: now()) { throw TreeElsewhere(key: treeKey(key), address: "") }
  }

  // MARK: Shutdown

  /// Saves and ends all trees, and gives them up, so that other processes can take them.
  ///
  /// Calls that are made from now on are refused with `DirectoryEnded`. A tree with bound work, which this cancels, is
  /// restored by the next process that runs a directory on the store.
  ///
  /// - Parameter timeout: how long to wait, on the clock of the directory, for saves and for bound work that ignores its
  ///   cancellation. Without a timeout this waits until all trees are saved, or the calling task is cancelled: the trees
  ///   are saved and end then, but nothing waits for them.
  /// - Returns: the trees that could not be saved in time, and the work that was still running.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> DirectoryReport<ID> {
    isEnded.store(true, ordering: .sequentiallyConsistent)
    let ending = DirectoryEnding<ID>()
    let end = Promise<Void>()
    Task.detached {
      await self.endAll(ending)
      // Gives up what was claimed but could not be opened.
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
    let timer = Task.detached { [clock = configuration.clock, storage] in
      try? await clock.sleep(for: timeout)
      guard !Task.isCancelled else { return }
      storage?.queue.abandon()
      await ending.expire(after: timeout)
      end.set(())
    }
    await end.value
    timer.cancel()
    return ending.report
  }

  private func endAll(_ ending: DirectoryEnding<ID>) async {
    await withTaskGroup(of: Void.self) { group in
      for (key, _) in table.entries {
        ending.begin(key.id)
        group.addTask { await self.end(key, ending) }
      }
    }
  }

  private func end(_ key: Key, _ ending: DirectoryEnding<ID>) async {
    while true {
      let entry = table.update(key) { entry, _ in entry }
      switch entry {
      case .opening(let opening): _ = await opening.result.value
      case .closing(let closed): await closed.value
      case .quarantined, nil: return ending.didSave(key.id)
      case .open(let tree):
        guard let (_, closed) = table.beginClosing(key, tree.number, ifUnused: false) else { continue }
        let (hadWork, unsaved) = await tree.host.endSaving()
        async let shutdown: Void = ending.end(tree.host.beginShutdown(), of: key.id)
        let isSaved = if let unsaved { (try? await unsaved.value.get()) != nil } else { true }
        if isSaved {
          ending.didSave(key.id)
          _ = await release(tree, isAwake: hadWork)
        }
        await shutdown
        return finishClosing(key, closed, .ended(key.id, .shutDown))
      }
    }
  }
}

/// The result of `TreeDirectory.shutdown(timeout:)`.
public struct DirectoryReport<ID: Hashable & Sendable>: Sendable, CustomStringConvertible {
  /// The number of trees that were saved and ended in time.
  public let ended: Int
  /// The trees whose last changes could not be saved in time. They are restored as they were last saved.
  public let unsaved: [ID]
  /// The trees whose bound work had not ended in time, with that work.
  public let unfinished: [ID: ShutdownReport]

  /// The report as text, with one line for each tree that is not as it should be.
  public var description: String {
    var text = "\(ended) trees have ended."
    for id in unsaved { text += "\n  \(id) was not saved" }
    for (id, report) in unfinished { text += "\n  \(id): \(report)" }
    return text
  }
}

/// The progress of a shutdown.
final class DirectoryEnding<ID: Hashable & Sendable>: Sendable {
  fileprivate struct State {
    var unsaved: Set<ID> = []
    var saved = 0
    var unfinished: [ID: ShutdownReport] = [:]
    /// The trees that are ending.
    var shutdowns: [ID: LimitedShutdown] = [:]
    /// The timeout, once it has passed.
    var expired: Duration?
  }

  private let state = Locked(State())

  func begin(_ id: ID) { state.withLock { _ = $0.unsaved.insert(id) } }

  func didSave(_ id: ID) {
    state.withLock { state in
      state.unsaved.remove(id)
      state.saved += 1
    }
  }

  /// Waits until a tree has ended, or the timeout has passed.
  func end(_ shutdown: LimitedShutdown, of id: ID) async {
    let expired = state.withLock { state in
      state.shutdowns[id] = shutdown
      return state.expired
    }
    if let expired { await LimitedShutdown.expire([shutdown], after: expired) }
    let report = await shutdown.report.value
    shutdown.finish()
    state.withLock { $0.end(id, report) }
  }

  /// Makes the trees that are still ending report what they wait for.
  func expire(after timeout: Duration) async {
    let shutdowns = state.withLock { state in
      state.expired = timeout
      return Array(state.shutdowns.values)
    }
    await LimitedShutdown.expire(shutdowns, after: timeout)
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
    let isFinished = report.unfinishedTasks.isEmpty && report.busy == nil && report.unreachable == nil
    if !isFinished { unfinished[id] = report }
  }
}
