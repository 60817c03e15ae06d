// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The subscriptions and running tasks bound to one activation of an interactor, or to one run of a worker.
@usableFromInline
package final class ScopedWork: BoundScope {
  /// Valid until `end()` and not used afterwards: the owner ends this before it is released. Unmanaged, because that may
  /// happen in its `deinit`, where no weak or unowned reference to it can be read.
  private let ownerLink: Unmanaged<TaskOwner>
  // Code that changes one of these retains what it removes, so that no other code runs during the access.
  @exclusivity(unchecked) private var disposables = DisposableList()
  @exclusivity(unchecked) var tasks = TaskList()
  private(set) var hasEnded = false
  /// The work that has a key, by that key.
  private var named: [String: NamedWork]?
  /// The objects that were created for this activation, one for each declaration.
  var instances: ScopedInstances?

  /// The work with one key, while there is any.
  private struct NamedWork {
    /// Work that was started and not superseded, until it has ended and its end was reported.
    var running: [BoundTask] = []
    private(set) var waiting = FIFO<Queued>()
    /// The number of queued elements from which on those that were cancelled are removed.
    private var sweepCount = 16

    struct Queued {
      let task: BoundTask
      /// The context that the work was requested in, if its start needs it.
      let context: CapturedContext?
    }

    /// Whether there is work that was not cancelled.
    var isActive: Bool {
      running.contains { !$0.hasEnded && !$0.isCancelled } || waiting.contains { !$0.task.hasEnded }
    }

    /// Queues work. Work that was cancelled leaves the queue in time that is constant on average.
    ///
    /// - Returns: the previous queue, to be released outside the access, if elements have left it.
    mutating func append(_ queued: Queued) -> FIFO<Queued>? {
      defer { waiting.append(queued) }
      guard waiting.count >= sweepCount else { return nil }
      let previous = waiting
      waiting = previous.filter { !$0.task.hasEnded }
      sweepCount = max(16, 2 * waiting.count)
      return previous
    }

    mutating func cancelAll(_ reason: TaskState.Cancellation) {
      for task in running { task.cancel(reason) }
      discardWaiting()
    }

    /// Removes the next queued work. Work that was cancelled while it was queued is skipped.
    mutating func popWaiting() -> Queued? {
      while let next = waiting.popFirst() { if !next.task.hasEnded { return next } }
      return nil
    }

    /// Discards the queued work.
    mutating func discardWaiting() { while let next = waiting.popFirst() { next.task.cancel(.superseded) } }
  }

  init(of owner: TaskOwner) { ownerLink = .passUnretained(owner) }

  /// What the work is bound to, until the end.
  private var owner: TaskOwner? { hasEnded ? nil : ownerLink.takeUnretainedValue() }

  /// The RIB's router, if there is one, until the end.
  package var node: RouterNode? { owner?.ownerNode }

  /// The tree that the RIB is active in; nil outside trees, and after the end.
  package var tree: TreeCore? { node?.tree }

  /// The interactor that the work is bound to, until the end; nil for the work of a worker.
  var interactor: Interactor? { owner?.asInteractor }

  /// The tasks that the tree has counted, for snapshots. Excludes a task that is moving here from another tree.
  package var shownTasks: [BoundTask] { tasks.elements.filter(\.isCounted) }

  /// The index of the worker that the work is bound to among the running workers; nil for the work of an interactor.
  package var workerIndex: Int? {
    guard let owner, owner.asInteractor == nil else { return nil }
    return owner.ownerNode?.interactorCore?.runningWorkers.firstIndex { $0 === owner }
  }

  /// How many subscriptions are live.
  var subscriptionCount: Int {
    let disposables = disposables
    return disposables.count
  }

  func add(_ disposable: any Disposable) {
    #if DEBUG
      // Traps if a subscription is bound outside the tree's actor, and makes its relays check each value.
      tree?.checkIsolation()
      disposable.checkIsolation(in: tree)
    #endif
    disposables.append(disposable)
    guard let sweep = disposables.beginSweep() else { return }
    let live = sweep.findLive()
    disposables.endSweep(sweep, keeping: live)
    withExtendedLifetime((sweep, live)) {}
  }

  /// Starts, queues or refuses work that has a key, as the overlap policy says.
  func admit(
    _ task: BoundTask, named key: String, _ overlap: BoundWork.OverlapPolicy, in tree: TreeCore,
    _ context: BoundWork.Context
  ) -> BoundWork.Start {
    let isActive = isActive(key)
    switch overlap {
    case .ignoreWhileRunning where isActive:
      return .ignored
    case .enqueue where named?.keys.contains(key) == true:
      let captured = task.enqueue(in: tree, context)
      let previous = named?[key]?.append(NamedWork.Queued(task: task, context: captured))
      withExtendedLifetime(previous) {}
      return .queued
    case .cancelPrevious:
      let replaced = named?.removeValue(forKey: key)
      start(task, named: key, in: tree, context)
      if var replaced { replaced.cancelAll(.superseded) }
      return isActive ? .replaced : .started
    default:
      start(task, named: key, in: tree, context)
      return .started
    }
  }

  /// Whether work with a key is running or queued, and was not cancelled.
  func isActive(_ key: String) -> Bool { named?[key]?.isActive ?? false }

  /// The number of elements in the queue of a key, of which some may have been cancelled.
  func queueLength(of key: String) -> Int { named?[key]?.waiting.count ?? 0 }

  /// Whether work with a key waits for its start.
  func hasQueuedWork(_ key: String) -> Bool {
    guard let waiting = named?[key]?.waiting else { return false }
    return waiting.contains { !$0.task.hasEnded }
  }

  /// Cancels the running and the queued work with a key.
  func cancel(_ key: String) {
    if var cancelled = named?.removeValue(forKey: key) { cancelled.cancelAll(.requested) }
  }

  /// Starts the next queued work after work with the same key has ended and its end was reported.
  func didEnd(_ task: BoundTask, named key: String, in tree: TreeCore) {
    guard !hasEnded, !hasReplaced(task) else { return }
    named?[key]?.running.removeAll { $0 === task }
    guard named?[key]?.running.isEmpty == true else { return }
    if let next = named?[key]?.popWaiting() {
      start(next.task, named: key, in: tree, .inherited, next.context)
    } else {
      named?[key] = nil
    }
  }

  /// Whether later work has replaced work that has a key.
  func hasReplaced(_ task: BoundTask) -> Bool {
    guard let key = task.origin.key, !hasEnded else { return false }
    return named?[key]?.running.contains { $0 === task } != true
  }

  private func start(
    _ task: BoundTask, named key: String, in tree: TreeCore, _ context: BoundWork.Context,
    _ captured: CapturedContext? = nil
  ) {
    if named == nil { named = [:] }
    named?[key, default: NamedWork()].running.append(task)
    task.start(in: tree, boundTo: self, context, captured)
  }

  func fail(_ error: any Error, of work: BoundWork) {
    guard let owner else { return }
    guard let node = owner.ownerNode, let tree = node.tree, let interactor = node.interactorCore else {
      return owner.didFail(error, of: work)
    }
    owner.deliver(error, of: work, FailureDelivery(to: interactor, in: tree, node.path, node.nodeID))
  }

  /// Cancels the tasks and disposes of the subscriptions, the last bound first.
  override func end() {
    guard !hasEnded else { return }
    let node = node
    hasEnded = true
    let waiting = named
    named = nil
    if !tasks.isEmpty { endTasks(of: node) }
    for (_, var work) in waiting ?? [:] { work.discardWaiting() }
    disposables.removeAll().disposeAll()
    let made = instances
    instances = nil
    withExtendedLifetime(made) {}
  }

  private func endTasks(of node: RouterNode?) {
    let ending = tasks.elements
    for task in ending { task.moveToTree(from: node) }
    for task in ending.reversed() { task.cancel(.scopeEnded) }
  }
}
