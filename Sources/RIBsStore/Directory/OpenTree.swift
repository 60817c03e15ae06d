// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs
public import Synchronization

/// A tree that is awake.
@usableFromInline
final class OpenTree<Root>: Sendable {
  @usableFromInline let host: TreeHost<Root>
  /// Identifies this opening of the tree in the directory.
  let number: UInt64
  /// Writes the tree to the store; nil without a store.
  let writer: TreeWriter?
  /// The lease under which it was claimed; nil without a store.
  let lease: Lease?
  /// The number of calls that use the tree, or wait for it. Increased while the table is locked.
  @usableFromInline let calls: Atomic<Int>
  /// The logical time of the last call: the value of `TreeDirectory.uses`. Zero if the tree was woken, and no call has ended
  /// since.
  @usableFromInline let lastUse: Atomic<UInt64>
  /// The number of the last check, of `TreeDirectory.idleChecks`, that has found the tree busy.
  let lastBusyCheck = Atomic<UInt64>(0)
  /// The last use that a round has seen, and the time of the first round that has seen it.
  private let seen = Locked((use: UInt64(0), time: Duration.zero))
  /// When the tree was opened, on the clock of the directory.
  let openingTime: Duration
  @usableFromInline let isStored: Bool

  /// - Parameter wasWoken: whether it was opened because its time has come, so that its last call is that of no call.
  init(
    _ host: TreeHost<Root>, _ writer: TreeWriter?, _ lease: Lease?, number: UInt64, calls: Int, time: Duration,
    wasWoken: Bool
  ) {
    self.host = host
    self.writer = writer
    self.lease = lease
    isStored = writer != nil
    self.number = number
    lastUse = Atomic(wasWoken ? 0 : number)
    self.calls = Atomic(calls)
    openingTime = time
    seen.withLock { $0.time = time }
  }

  /// Whether no other owner can have changed the tree. Does not ask the store.
  func isOwned(at now: Stopwatch) -> Bool {
    // Each call asks this. `if let` would retain the objects.
    if writer?.isFenced.load(ordering: .acquiring) == true { return false }
    return lease?.holds(at: now.inNanoseconds()) != false
  }

  /// Whether the tree was woken, and no call has ended since, so that none is expected soon.
  var isUnusedSinceWake: Bool { lastUse.load(ordering: .relaxed) == 0 }

  /// Whether no call has found the tree busy since a check. So calls that are refused at the same time check each tree once.
  func isWorthCheck(since check: UInt64) -> Bool { lastBusyCheck.load(ordering: .acquiring) <= check }

  /// How long the tree has been idle at the time of a round.
  func idleTime(at time: Duration) -> Duration {
    let use = lastUse.load(ordering: .relaxed)
    return seen.withLock { seen in
      if seen.use != use { seen = (use, time) }
      return time - seen.time
    }
  }
}

/// Writes a tree to the store, with the fence of its claim and a version for each write.
final class TreeWriter: TreeSaving {
  let key: TreeKey
  let fence: UInt64
  private let schema: Int
  private let coder: any SavedTree.Coder
  private let queue: SaveQueue
  private let onUntaken: @Sendable ([String]) -> Void
  private let version: Atomic<UInt64>
  /// A promise that is fulfilled when a save, or the revival of the lease, shows that another owner has claimed the tree.
  let fenced = Promise<Void>()
  /// Whether `fenced` is fulfilled. Read by each call.
  let isFenced = Atomic(false)
  /// Whether the store knows that the tree has started.
  let hasStarted = Atomic(false)
  /// Whether the tree has saved a change.
  let hasSaved = Atomic(false)

  /// - Parameter onUntaken: called with the paths of what a restore has left.
  init(
    _ key: TreeKey, fence: UInt64, version: UInt64, schema: Int, _ coder: any SavedTree.Coder, _ queue: SaveQueue,
    onUntaken: @escaping @Sendable ([String]) -> Void
  ) {
    self.onUntaken = onUntaken
    self.key = key
    self.fence = fence
    self.version = Atomic(version)
    self.schema = schema
    self.coder = coder
    self.queue = queue
  }

  func save(_ saved: SavedTree) async throws {
    hasSaved.store(true, ordering: .relaxed)
    try await write(.document(saved.encoded(by: coder)), isAwake: true, wakes: saved.wakes, isReleased: false)
  }

  func didRestore(_ path: TreePath, without untaken: [String]) { onUntaken(untaken) }

  /// Releases the claim. The document stays as it was last saved.
  ///
  /// - Parameter wakes: when the tree must be woken.
  func release(isAwake: Bool, wakes: WallTime?) async throws {
    try await write(.unchanged, isAwake: isAwake, wakes: wakes, isReleased: true)
  }

  /// Removes the record of the tree.
  func remove() async throws { try await write(.removed, isAwake: false, wakes: nil, isReleased: true) }

  /// Records that another owner has claimed the tree.
  func fenceOff() {
    isFenced.store(true, ordering: .releasing)
    fenced.set(())
  }

  /// A note of how the start of the tree goes.
  func start(_ state: TreeStart.State) -> TreeStart { TreeStart(key: key, fence: fence, state: state) }

  private func write(
    _ content: TreeRecord.Content, isAwake: Bool, wakes: WallTime?, isReleased: Bool
  ) async throws {
    let version = version.add(1, ordering: .relaxed).newValue
    let record = TreeRecord(
      key: key, fence: fence, version: version, schema: schema, content: content, isAwake: isAwake,
      wakes: wakes, isReleased: isReleased)
    switch await queue.save(record) {
    case .saved: hasStarted.store(true, ordering: .relaxed)
    case .fenced:
      fenceOff()
      throw TreeElsewhere(key: key, address: "")
    case .abandoned: throw SaveAbandoned(key: key)
    }
  }
}
