// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TaskOwner {
  /// The present time by the wall clock of the tree, for times in states; the clock of the system outside trees.
  ///
  /// A test sets it: `TestTree` has a clock whose wall time moves with the virtual one.
  public final var wallTime: WallTime { (ownerNode?.tree?.settings.wallClock ?? .system).now }

  /// Waits until a time of the tree's wall clock, in bound work.
  ///
  /// ```swift
  /// final class OfferInteractor: Interactor, Saving {
  ///   var savedState = WallTime.now + .seconds(3600)
  ///
  ///   override func didBecomeActive() {
  ///     super.didBecomeActive()
  ///     task {
  ///       try await self.sleep(until: self.savedState)
  ///       self.endTree()
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Work that only waits here does not keep its tree awake: while all running work of a tree sleeps this way, a directory
  /// may save and end the tree, and wakes it when the earliest of the times has come. The code that is active then starts
  /// the work again from its state, and the call returns at once, because the time has passed. So take the time from the
  /// state, and start the work in `didBecomeActive()` or `didStart(_:)`.
  ///
  /// - It never returns early by the wall clock, also if that is set back meanwhile.
  /// - A time in the past returns at once, without suspending.
  /// - If the wall clock is set forward, or the machine was suspended, it returns up to five seconds late: the tree's
  ///   clock measures the wait, and the wall clock is compared every five seconds.
  ///
  /// The work keeps its tree awake nevertheless if it has a timeout, if other work with its key is queued, or if code waits
  /// for it, as for a call of `TreeHost.perform` or the `run` of a workflow. So does a call in the work of another RIB.
  /// Child tasks that run while their parent sleeps here end with the tree, so start none. Outside bound work this only
  /// waits.
  ///
  /// - Parameter time: the time to wait for.
  /// - Throws: a `CancellationError` if the calling task is cancelled, as it is when the interactor resigns or the worker
  ///   stops, also if the time has come.
  /// - Complexity: linear in the number of running tasks of the RIB.
  public final nonisolated(nonsending) func sleep(until time: WallTime) async throws {
    try Task.checkCancellation()
    let tree = ownerNode?.tree
    tree?.checkIsolation()
    let clock = tree?.settings.wallClock ?? .system
    guard clock.now < time else { return }
    let task = runningTask(of: callingTask())
    if let task { tree?.part(orAdd: SleepingWork.init).begin(task, until: time, in: tree) }
    defer { if let task { tree?.sleepingWork?.end(task, in: tree) } }
    if let sleep = clock.sleep { try await sleep(time) }
    let ticks: any Clock<Duration> = tree?.settings.clock ?? SuspendingClock()
    while case let rest = time - clock.now, rest > .zero {
      try await ticks.wait(for: min(rest, SleepingWork.longestWait))
    }
    // Work that ends as its time comes continues in the tree that is restored.
    try Task.checkCancellation()
  }

  /// The bound work of this RIB whose Swift task calls.
  final func runningTask(of caller: Int?) -> BoundTask? {
    if let task = work?.task(of: caller) { return task }
    guard let interactor = ownerNode?.interactorCore else { return nil }
    let owners: [TaskOwner] = [interactor] + interactor.runningWorkers
    for owner in owners where owner !== self { if let task = owner.work?.task(of: caller) { return task } }
    return nil
  }
}

extension ScopedWork {
  fileprivate func task(of caller: Int?) -> BoundTask? { caller == nil ? nil : tasks.all.first { $0.isCaller(caller) } }
}

/// The part of a tree that knows which bound work waits for a wall time. Added when work first does.
package final class SleepingWork: TreePart {
  /// The time after which a sleeping task looks at the wall clock, which may have been set.
  static let longestWait = Duration.seconds(5)

  private struct Sleep {
    let task: BoundTask
    let end: WallTime
  }

  private var sleeps: [ObjectIdentifier: Sleep] = [:]

  init() { super.init(.sleeping) }

  fileprivate func begin(_ task: BoundTask, until end: WallTime, in tree: TreeCore?) {
    sleeps[ObjectIdentifier(task)] = Sleep(task: task, end: end)
    guard let tree else { return }
    for part in tree.parts { part.workSleeps() }
    tree.notify(.workSlept, task)
    tree.emit(.taskSleeping, of: task, task.work, .other(end))
  }

  fileprivate func end(_ task: BoundTask, in tree: TreeCore?) {
    let ended = sleeps.removeValue(forKey: ObjectIdentifier(task))
    if !task.isCancelled {
      tree?.notify(.workSlept, task)
      tree?.emit(.taskWoke, of: task, task.work, nil)
    }
    withExtendedLifetime(ended) {}
  }

  /// The work that was not cancelled.
  private var running: some Sequence<Sleep> { sleeps.values.lazy.filter { !$0.task.isCancelled } }

  /// When the first of the work wakes that was not cancelled.
  var earliest: WallTime? { running.lazy.map(\.end).min() }

  /// When the first of the work would have woken that slept when the tree was shut down; nil if it ended in another way.
  private(set) var wakesAfterShutdown: WallTime?

  override package func treeWillEnd(_ reason: TreeEnded.Reason, _ tree: TreeCore) {
    // Another part may have ended the tree, which has cancelled the work.
    guard !tree.hasEnded else { return }
    wakesAfterShutdown = if case .shutDown = reason { earliest } else { nil }
  }

  /// Whether work sleeps, also if it was cancelled and does not know it yet.
  package func contains(_ task: BoundTask) -> Bool { sleeps[ObjectIdentifier(task)] != nil }

  /// When work wakes; nil if it does not sleep, or was cancelled.
  package func end(of task: BoundTask) -> WallTime? { task.isCancelled ? nil : sleeps[ObjectIdentifier(task)]?.end }

  /// When the first work of each RIB wakes, by the ID of the RIB.
  var earliestByNode: [UInt64: WallTime] {
    var times: [UInt64: WallTime] = [:]
    for sleep in running {
      guard let id = sleep.task.node?.id else { continue }
      times[id] = min(times[id] ?? sleep.end, sleep.end)
    }
    return times
  }

  /// When the work wakes that was not cancelled, by the ID of the work.
  package var ends: [UInt64: WallTime] {
    Dictionary(running.map { ($0.task.work.id.rawValue, $0.end) }) { first, _ in first }
  }

  override package func sleepingWork(in tree: TreeCore) -> Int {
    let now = tree.settings.wallClock.now
    return sleeps.values.count { $0.end > now && !$0.task.keepsTreeAwake }
  }
}

extension BoundTask {
  /// Whether this work keeps its tree awake although it sleeps.
  fileprivate final var keepsTreeAwake: Bool {
    if isCancelled || timeout != nil || isAwaited { return true }
    guard let key = origin.key, let scope else { return false }
    return scope.hasQueuedWork(key)
  }
}

extension TreeEvent {
  /// The wall time until which the bound work sleeps.
  public var wakes: WallTime? { detail() }
}

extension TreeCore {
  /// Knows the work that sleeps; nil if none has ever slept.
  package var sleepingWork: SleepingWork? { follows(.sleeping) ? part() : nil }

  /// When the first sleeping work wakes; nil if none sleeps.
  var wakes: WallTime? { sleepingWork?.earliest }
}
