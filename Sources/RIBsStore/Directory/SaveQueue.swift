internal import RIBs

/// Saves the trees of a directory: all that have changed share a commit, and one commit runs at a time.
///
/// A commit that fails is repeated with the same records until it succeeds, so that its outcome is known. Each attempt has
/// half as many records, so that a record which the store can't write does not block the others.
final class SaveQueue: Sendable {
  /// The result of a save.
  enum Outcome: Sendable {
    case saved
    /// Refused: another owner has claimed the tree.
    case fenced
    /// Not saved before the timeout of the shutdown.
    case abandoned
  }

  private struct Item: Sendable {
    let record: TreeRecord
    let outcome = Promise<Outcome>()
  }

  private struct State {
    /// FIFO, except records that are retried.
    var pending: [Item] = []
    /// The task that commits, while there is something to commit.
    var committer: Task<Void, Never>?
    var isAbandoned = false
  }

  /// The largest number of records in a commit.
  private static let largestBatch = 1_000

  private let store: any TreeStore
  private let backoff: Backoff
  private let clock: any Clock<Duration>
  private let report: @Sendable (_ failure: (any Error)?) -> Void
  private let state = Locked(State())

  /// Creates a queue.
  ///
  /// - Parameter report: called when the store fails, and with nil when it succeeds again.
  init(
    _ store: any TreeStore, _ configuration: DirectoryConfiguration,
    report: @escaping @Sendable (_ failure: (any Error)?) -> Void
  ) {
    self.store = store
    backoff = configuration.backoff
    clock = configuration.clock
    self.report = report
  }

  /// Saves a record. Cancelling the calling task has no effect.
  func save(_ record: TreeRecord) async -> Outcome {
    let item = Item(record: record)
    let isAbandoned = state.withLock { state in
      guard !state.isAbandoned else { return true }
      state.pending.append(item)
      if state.committer == nil { state.committer = Task.detached { await self.commit() } }
      return false
    }
    return isAbandoned ? .abandoned : await item.outcome.value
  }

  /// Stops retrying. Pending records are reported as `.abandoned`.
  func abandon() {
    let (items, committer) = state.withLock { state in
      state.isAbandoned = true
      defer { state.pending = [] }
      return (state.pending, state.committer)
    }
    committer?.cancel()
    for item in items { item.outcome.set(.abandoned) }
  }

  private func commit() async {
    var limit = SaveQueue.largestBatch
    var failures = 0
    var random = SystemRandomNumberGenerator()
    while let batch = nextBatch(limit) {
      do {
        let fenced = try await store.save(batch.map(\.record))
        if failures > 0 { report(nil) }
        failures = 0
        limit = min(limit * 2, SaveQueue.largestBatch)
        for item in batch { item.outcome.set(fenced.contains(item.record.key) ? .fenced : .saved) }
      } catch {
        failures += 1
        if failures == 1 { report(error) }
        limit = max(batch.count / 2, 1)
        // A single record goes to the end, behind those that may succeed.
        guard putBack(batch, atEnd: batch.count == 1) else { return }
        try? await clock.sleep(for: backoff.pause(before: failures, using: &random).boundedTimeout)
      }
    }
  }

  /// The next records, at most one for each tree; nil if there are none, and then the committer ends.
  private func nextBatch(_ limit: Int) -> [Item]? {
    state.withLock { state in
      guard !state.pending.isEmpty, !state.isAbandoned else {
        state.committer = nil
        return nil
      }
      var keys: Set<TreeKey> = []
      var batch: [Item] = []
      var later: [Item] = []
      for item in state.pending {
        if batch.count < limit, keys.insert(item.record.key).inserted { batch.append(item) } else { later.append(item) }
      }
      state.pending = later
      return batch
    }
  }

  /// - Returns: false if the records were abandoned.
  private func putBack(_ batch: [Item], atEnd: Bool) -> Bool {
    let isAbandoned = state.withLock { state in
      guard !state.isAbandoned else { return true }
      state.pending.insert(contentsOf: batch, at: atEnd ? state.pending.count : 0)
      return false
    }
    if isAbandoned { for item in batch { item.outcome.set(.abandoned) } }
    return !isAbandoned
  }
}
