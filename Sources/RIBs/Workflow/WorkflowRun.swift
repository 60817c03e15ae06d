// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// One run of a workflow, with one item.
final class WorkflowRun: Disposable {
  let origin: TaskOrigin
  let timeout: Duration?
  /// The tree that the run was started in, which holds its chains while they wait; nil for a run in no tree.
  let tree: TreeCore?
  /// The actor of a run in no tree.
  private let actorOutside: (any Actor)?
  /// Starts the tasks of the run.
  let starter: TaskStarter
  /// The outcomes of steps by index, kept for chains that are committed later.
  private var outcomes: [StepOutcome?] = []
  private var running: [WorkflowTask] = []
  private var phase = Phase.running
  private var hasSucceeded = false
  private var waiter: Waiter?
  /// Set when the last chain has ended, even after disposal.
  private var lastEnd: Promise<Void>?

  private enum Phase {
    case running
    /// All chains have ended.
    case completed
    /// Disposed of by the program; chains may still be ending.
    case disposed
  }

  /// A caller that waits for the end of the run.
  private struct Waiter {
    /// The last step of the awaited chain; nil for all chains.
    let step: StepNode?
    let end = Promise<Void>()
    var failure: (any Error)?
  }

  init(in tree: TreeCore, timeout: Duration?, origin: TaskOrigin) {
    (self.tree, actorOutside, starter) = (tree, nil, tree.starter)
    self.timeout = timeout
    self.origin = origin
  }

  init(on actor: any Actor, _ starter: TaskStarter, timeout: Duration?, origin: TaskOrigin) {
    (tree, actorOutside, self.starter) = (nil, actor, starter)
    self.timeout = timeout
    self.origin = origin
  }

  var isDisposed: Bool { phase == .disposed }
  var hasCompleted: Bool { phase == .completed }
  var hasEnded: Bool { phase != .running }

  /// Whether a caller waits for the end.
  var isAwaited: Bool { waiter != nil && phase == .running }

  var actor: (any Actor)? { actorOutside ?? tree?.actor }

  /// Starts a chain of steps.
  func begin(_ step: StepNode, on outcome: StepOutcome, of workflow: any WorkflowHooks) {
    guard !isDisposed else { return }
    let task = WorkflowTask(step, on: outcome, in: self, of: workflow)
    running.append(task)
    // A task that waits first is bound to a scope when its item is active.
    let scope = task.beginsInScope ? outcome.scope : nil
    // An item may stand in another tree than the one that the workflow was started in, or in none.
    if let actor { task.start(on: actor, starter, in: scope.map(\.tree) ?? tree, boundTo: scope) }
  }

  /// Starts a chain that was committed during the run, if the step it continues from has completed.
  func beginCommitted(_ step: StepNode, after anchor: StepNode, of workflow: any WorkflowHooks) {
    if let outcome = outcome(of: anchor) { begin(step, on: outcome, of: workflow) }
  }

  /// Keeps the outcome of a step while a chain can still be committed that continues from it.
  func keep(_ outcome: StepOutcome, of step: StepNode) {
    guard step.canBeContinued else { return }
    while outcomes.count <= step.index { outcomes.append(nil) }
    outcomes[step.index] = outcome
  }

  /// Discards the outcome of a step: no chain can be committed any more that continues from it.
  func discardOutcome(of step: StepNode) {
    guard step.index < outcomes.count else { return }
    let forgotten = outcomes[step.index]
    outcomes[step.index] = nil
    withExtendedLifetime(forgotten) {}
  }

  func outcome(of step: StepNode) -> StepOutcome? { step.index < outcomes.count ? outcomes[step.index] : nil }

  /// Records the failure of a step, which ends all chains that continue from it.
  ///
  /// - Returns: whether the error was handled.
  func fail(_ error: any Error, at failed: StepNode, of workflow: any WorkflowHooks) -> Bool {
    var isTaken = false
    if let waiter, waiter.step == nil, waiter.failure == nil {
      self.waiter?.failure = error
      isTaken = true
    }
    var affected = [failed]
    while let step = affected.popLast() {
      if let waiter, step === waiter.step {
        self.waiter?.failure = error
        isTaken = true
      }
      if let handler = step.handler {
        handler(error)
        isTaken = true
        // The handler may have disposed of the run.
        guard !isDisposed else { return true }
      }
      affected += step.next.reversed()
    }
    workflow.didReceiveError(error)
    return isTaken
  }

  /// Records the end of a chain.
  func didEnd(_ task: WorkflowTask, hasFailed: Bool, of workflow: any WorkflowHooks) {
    running.removeAll { $0 === task }
    if !hasFailed { hasSucceeded = true }
    guard running.isEmpty else { return }
    if phase == .running {
      phase = .completed
      if hasSucceeded { workflow.didComplete() }
      waiter?.end.set(())
    }
    guard running.isEmpty else { return }
    (task.tree ?? tree)?.leaks?.suspect(workflow, after: task)
    lastEnd?.set(())
  }

  /// Cancels the running tasks silently and releases the outcomes.
  func dispose() {
    guard !isDisposed else { return }
    phase = .disposed
    for task in running { task.cancel(.requested) }
    // Released outside the access: the `deinit` of a user's value may use the workflow.
    let released = outcomes
    outcomes = []
    waiter?.end.set(())
    withExtendedLifetime(released) {}
  }

  /// Refuses chains that are committed later, if the run is in no tree. The caller of a workflow may send it to another
  /// actor with its item when the run has ended, and a chain that began then would use both at once.
  func close() {
    if tree == nil { dispose() }
  }

  // MARK: Waiting for the end

  /// Registers a caller that waits for the end, before any step runs.
  ///
  /// - Returns: a promise that is set when the run has ended.
  func expectWaiter(for step: StepNode?) -> Promise<Void> {
    let waiter = Waiter(step: step)
    self.waiter = waiter
    return waiter.end
  }

  /// Returns when no chain is running, even if the calling task is cancelled.
  nonisolated(nonsending) func waitForLastEnd() async {
    if running.isEmpty { return }
    let end = Promise<Void>()
    lastEnd = end
    await end.value
  }

  /// The error that ended the awaited chains.
  var failure: (any Error)? { waiter?.failure }
}

extension ChainState {
  /// Why the chain can't continue; nil if it can.
  ///
  /// - Parameter path: the path of the item.
  func failure(at path: @autoclosure () -> TreePath) -> WorkflowError? {
    switch self {
    case .working, .waiting: nil
    case .timedOut(let timeout): .stepTimedOut(path(), after: timeout)
    case .lost: .itemResigned(path())
    }
  }
}
