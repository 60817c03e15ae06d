// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The tasks of a tree that are outside any scope, and the callers that wait for their end.
struct DetachedTasks: ~Copyable {
  /// A caller that waits until all work that outlives its scope has ended.
  final class Waiter {
    /// The Swift task that waits, which may itself be part of that work.
    let caller: Int?
    /// Set to true when no work is left, or to false when the wait is over.
    fileprivate(set) var wakeUp = Promise<Bool>()

    fileprivate init(_ caller: Int?) { self.caller = caller }
  }

  /// Tasks whose scope has ended, or that wait for a RIB to become active.
  private(set) var tasks = TaskList()
  private var waiters: [Waiter] = []

  mutating func append(_ task: BoundTask) { tasks.append(task) }

  mutating func remove(_ task: BoundTask) { tasks.remove(task) }

  /// Whether a caller has nothing to wait for, and no other caller waits.
  func isEmpty(besides caller: Int?) -> Bool {
    waiters.isEmpty && tasks.all.allSatisfy { $0.isCaller(caller) }
  }

  /// Adds a caller that waits.
  mutating func addWaiter(_ caller: Int?) -> Waiter {
    let waiter = Waiter(caller)
    waiters.append(waiter)
    return waiter
  }

  mutating func removeWaiter(_ waiter: Waiter) { waiters.removeAll { $0 === waiter } }

  /// Resumes the callers if no task is left.
  func notifyWaiters() {
    guard !waiters.isEmpty, !hasUnfinishedTasks else { return }
    for waiter in waiters { waiter.wakeUp.set(true) }
  }

  /// Whether there are tasks other than those that wait for the end of the others.
  ///
  /// - Complexity: linear in the number of waiters and independent of the number of tasks, because it is evaluated
  ///   whenever a task ends.
  var hasUnfinishedTasks: Bool {
    !tasks.isEmpty && unfinishedTasks.contains { _ in true }
  }

  /// The tasks except those that wait for the end of the others.
  var unfinishedTasks: some Sequence<BoundTask> {
    let callers = waiters.compactMap(\.caller)
    return tasks.all.lazy.filter { task in !callers.contains { task.isCaller($0) } }
  }
}

extension TreeCore {
  /// Waits until no task outlives its scope. Tasks that wait here themselves are excluded, because they can't end
  /// before the wait does.
  ///
  /// - Parameters:
  ///   - timeout: the maximum wait; if nil, until the calling task is cancelled.
  ///   - caller: the Swift task that waits, if it may be part of the tree's work.
  /// - Returns: the work that is still running although its scope has ended.
  nonisolated(nonsending) func waitForTasks(timeout: Duration?, caller: Int?) async -> ShutdownReport {
    if timeout == nil, tasks.detached.isEmpty(besides: caller) { return ShutdownReport(unfinishedTasks: []) }
    let waiter = tasks.detached.addWaiter(caller)
    tasks.detached.notifyWaiters()
    let timedOut = Promise<Void>()
    let timer = timeout.map { timeout in
      StartedTimer(on: settings.clock, after: timeout, executor: settings.offTreeExecutor) { timedOut.set(()) }
    }
    while true {
      let wakeUp = waiter.wakeUp
      timedOut.whenSet { wakeUp.set(false) }
      // With a timeout, the cancellation of the calling task does not shorten the wait.
      let haveAllEnded: Bool? =
        if timer == nil { try? await wakeUp.valueUnlessCancelled() } else { await wakeUp.value }
      // A task whose own wait has ended counts as unfinished work again.
      guard haveAllEnded == true, tasks.detached.hasUnfinishedTasks else { break }
      waiter.wakeUp = Promise()
    }
    timer?.cancel()
    let unfinished = unfinishedWork
    tasks.detached.removeWaiter(waiter)
    return unfinished
  }

  /// The work that is still running although its scope has ended.
  var unfinishedWork: ShutdownReport {
    let time = now()
    return ShutdownReport(
      unfinishedTasks: tasks.detached.unfinishedTasks.map { task in
        let place = task.keptPlace
        return .init(
          path: task.path.inTree(identity), node: place?.node, work: task.origin.name,
          age: place?.time.map { time - $0 })
      })
  }

  /// The unfinished work of a RIB that has resigned.
  func unfinishedWork(of node: NodeID?) -> [String] {
    guard let node else { return [] }
    return tasks.detached.tasks.all.filter { $0.keptPlace?.node == node }.map(\.origin.name)
  }
}
