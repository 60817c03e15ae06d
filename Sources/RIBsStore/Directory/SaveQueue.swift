// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import Synchronization

/// Saves the trees of a directory: all that have changed share a commit, and one such commit runs at a time.
///
/// A record whose save fails is repeated until it succeeds, so that its outcome is known. A commit that fails is divided
/// until the record that the store can't write is found. That record is then repeated alone, with pauses of its own,
/// because it would otherwise delay the saves of all other trees. A large document is also saved alone, beside the
/// commits of the others.
final class SaveQueue: Sendable {
  /// The result of a save.
  enum Outcome: Sendable {
    case saved
    /// Refused: another owner has claimed the tree.
    case fenced
    /// Not saved before the timeout of the shutdown.
    case abandoned
  }

  fileprivate struct Item: Sendable {
    let record: TreeRecord
    let outcome = Promise<Outcome>()
  }

  /// The records of a tree that are saved alone, in order.
  private struct Lane {
    var items: [Item]
    let task: Task<Void, Never>
  }

  private struct State {
    /// FIFO, except records that are retried.
    var pending = FIFO<Item>()
    /// The task that commits, while there is something to commit.
    var committer: Task<Void, Never>?
    var lanes: [TreeKey: Lane] = [:]
    /// The trees whose last save has failed.
    var failing: Set<TreeKey> = []
    /// Those whose last save has failed because of a tree, which says nothing about the store.
    var unwritable: Set<TreeKey> = []
    /// How many single records have failed in a row. Any success starts a new count.
    var failuresInARow = 0
    var isAbandoned = false

    /// Whether so many records have failed in a row that the store is the cause.
    var isDown: Bool { failuresInARow > SaveQueue.largestNumberOfLanesInARow }
  }

  /// A large document that could not be written is repeated after this multiple of the time that the try took: sending it
  /// keeps a core and the database busy, which the other trees need.
  private static let pauseOfLargeDocuments = 19
  /// The largest number of records in a commit.
  private static let largestBatch = 1_000
  /// A commit ends with the document that reaches this number of bytes: it must be done within the time limit of a call.
  private static let largestBatchSize = 4 << 20
  /// Documents of more bytes are saved alone.
  private static let largestSharedDocument = 1 << 20
  /// If more records than this fail one after the other, they wait together for the store.
  private static let largestNumberOfLanesInARow = 64

  private let store: any TreeStore
  private let backoff: Backoff
  private let clock: any Clock<Duration>
  private let report: @Sendable (_ failure: (any Error)?) -> Void
  private let state = Locked(State())
  /// The number of records whose outcome is unknown.
  let unsaved = Atomic(0)
  /// Keeps connections of the store free for the commits of the others.
  private let laneLimit = AsyncLimit(2)

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
    unsaved.add(1, ordering: .relaxed)
    defer { unsaved.subtract(1, ordering: .relaxed) }
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
    let (items, tasks) = state.withLock { state in
      state.isAbandoned = true
      var items = state.lanes.values.flatMap(\.items)
      while let item = state.pending.popFirst() { items.append(item) }
      defer { state.lanes = [:] }
      return (items, state.lanes.values.map(\.task) + (state.committer.map { [$0] } ?? []))
    }
    for task in tasks { task.cancel() }
    for item in items { item.outcome.set(.abandoned) }
  }

  // MARK: Shared commits

  private func commit() async {
    var limit = state.withLock(\.isDown) ? 1 : SaveQueue.largestBatch
    while let batch = nextBatch(limit) {
      if await write(batch) {
        limit = min(limit * 2, SaveQueue.largestBatch)
      } else if batch.count > 1 {
        // Repeated without a pause: the halves without the record that can't be written must not wait.
        limit = max(batch.count / 2, 1)
        putBack(batch)
      } else if let failures = setAside(batch) {
        limit = 1
        await pause(before: failures)
      }
    }
  }

  /// The next records, at most one for each tree; nil if there are none, and then the committer ends.
  private func nextBatch(_ limit: Int) -> [Item]? {
    state.withLock { state in
      var keys: Set<TreeKey> = []
      var batch: [Item] = []
      // Further records of the same trees.
      var later: [Item] = []
      var size = 0
      while batch.count < limit, size < SaveQueue.largestBatchSize, let item = state.pending.popFirst() {
        let (key, count) = (item.record.key, item.record.size)
        if state.lanes[key] != nil {
          state.lanes[key]?.items.append(item)
        } else if keys.contains(key) {
          later.append(item)
        } else if count > SaveQueue.largestSharedDocument {
          state.lanes[key] = lane(key, [item], failures: 0)
        } else {
          keys.insert(key)
          batch.append(item)
          size += count
        }
      }
      for item in later.reversed() { state.pending.prepend(item) }
      if batch.isEmpty { state.committer = nil }
      return batch.isEmpty ? nil : batch
    }
  }

  private func putBack(_ batch: [Item]) {
    let isAbandoned = state.withLock { state in
      guard !state.isAbandoned else { return true }
      for item in batch.reversed() { state.pending.prepend(item) }
      return false
    }
    if isAbandoned { for item in batch { item.outcome.set(.abandoned) } }
  }

  /// Moves a record that has failed out of the shared commits. If the store is down, it goes behind the other records.
  ///
  /// - Returns: nil if the others continue at once; else the number of failures since the store is down.
  private func setAside(_ batch: [Item]) -> Int? {
    let (failures, isAbandoned): (Int?, Bool) = state.withLock { state in
      state.failuresInARow += 1
      if state.isAbandoned { return (nil, true) }
      if state.isDown {
        for item in batch { state.pending.append(item) }
        return (state.failuresInARow - SaveQueue.largestNumberOfLanesInARow, false)
      }
      for item in batch { state.lanes[item.record.key] = lane(item.record.key, [item], failures: 1) }
      return (nil, false)
    }
    if isAbandoned { for item in batch { item.outcome.set(.abandoned) } }
    return failures
  }

  // MARK: Records that are saved alone

  private func lane(_ key: TreeKey, _ items: [Item], failures: Int) -> Lane {
    Lane(items: items, task: Task.detached { await self.saveAlone(key, failures: failures) })
  }

  private func saveAlone(_ key: TreeKey, failures: Int) async {
    var failures = failures
    var shortestPause = Duration.zero
    while true {
      if failures > 0 { await pause(before: failures, atLeast: shortestPause) }
      // Cancelled by `abandon()`, which has reported the records.
      guard (try? await laneLimit.enter()) != nil else { return }
      defer { laneLimit.leave() }
      guard let item = nextItem(key) else { return }
      let isLarge = item.record.size > SaveQueue.largestSharedDocument
      let time = await clock.measure { failures = await write([item]) ? 0 : failures + 1 }
      shortestPause = isLarge ? time * SaveQueue.pauseOfLargeDocuments : .zero
      if failures > 0 { putBack(item) }
    }
  }

  /// The next record of a lane; nil if there is none, and then the lane ends.
  private func nextItem(_ key: TreeKey) -> Item? {
    state.withLock { state in
      guard let lane = state.lanes[key], !lane.items.isEmpty else {
        state.lanes[key] = nil
        return nil
      }
      return state.lanes[key]?.items.removeFirst()
    }
  }

  private func putBack(_ item: Item) {
    let isAbandoned = state.withLock { state in
      state.lanes[item.record.key]?.items.insert(item, at: 0)
      return state.isAbandoned
    }
    if isAbandoned { item.outcome.set(.abandoned) }
  }

  // MARK: Writing

  /// Writes records once.
  ///
  /// - Returns: false if the store has failed. The outcome of each record is then unknown.
  private func write(_ batch: [Item]) async -> Bool {
    do {
      let fenced = try await store.save(batch.map(\.record))
      let hasRecovered = state.withLock { state in
        state.failuresInARow = 0
        let isFree = state.unwritable.becomesEmpty(without: batch)
        return state.failing.becomesEmpty(without: batch) || isFree
      }
      if hasRecovered { report(nil) }
      for item in batch { item.outcome.set(fenced.contains(item.record.key) ? .fenced : .saved) }
      return true
    } catch {
      // A tree that can't be written hides neither a failure of the store nor its end.
      let isOfTree = error.storeError?.isOfTree == true
      let (hasRecovered, isFirst) = state.withLock { state in
        let failing = isOfTree ? \State.unwritable : \.failing
        defer { state[keyPath: failing].formUnion(batch.lazy.map(\.record.key)) }
        return (isOfTree && state.failing.becomesEmpty(without: batch), state[keyPath: failing].isEmpty)
      }
      if hasRecovered { report(nil) }
      if isFirst { report(error) }
      return false
    }
  }

  private func pause(before attempt: Int, atLeast shortest: Duration = .zero) async {
    var random = SystemRandomNumberGenerator()
    let pause = backoff.pause(before: attempt, using: &random)
    try? await clock.sleep(for: max(pause, shortest).boundedTimeout)
  }
}

extension Set<TreeKey> {
  /// Removes the trees of some records, and returns whether they were the last ones.
  fileprivate mutating func becomesEmpty(without items: [SaveQueue.Item]) -> Bool {
    guard !isEmpty else { return false }
    for item in items { remove(item.record.key) }
    return isEmpty
  }
}

extension TreeRecord {
  /// The number of bytes of the document that is written.
  fileprivate var size: Int { if case .document(let document) = content { document.count } else { 0 } }
}
