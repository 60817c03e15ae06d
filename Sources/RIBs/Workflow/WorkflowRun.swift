/// One run of a workflow: what was started with one item.
final class WorkflowRun: Disposable {
  let origin: TaskOrigin
  let timeout: Duration?
  private let home: Home
  /// What the steps have produced, by their index; for chains that are committed later.
  private var outcomes: [StepOutcome?] = []
  private var running: [WorkflowTask] = []
  private var phase = Phase.running
  private var hasSucceeded = false
  private var waiter: Waiter?
  /// Waits until the last chain has ended, also of a run that was disposed of.
  private var lastEnd: CheckedContinuation<Void, Never>?

  private enum Phase {
    case running
    /// All chains have ended.
    case completed
    /// Ended by the program; its chains may still be on their way to their ends.
    case disposed
  }

  /// Where a run takes place.
  enum Home {
    case tree(TreeCore)
    case actor(any Actor, TaskStarter)
  }

  /// Waits for the end of a run.
  private struct Waiter {
    /// The step whose chain it is about; nil if it is about all.
    let step: StepNode?
    let signal: AsyncStream<Void>.Continuation
    var failure: (any Error)?
  }

  init(in home: Home, timeout: Duration?, origin: TaskOrigin) {
    self.home = home
    self.timeout = timeout
    self.origin = origin
  }

  var isDisposed: Bool { phase == .disposed }
  var hasCompleted: Bool { phase == .completed }
  var hasEnded: Bool { phase != .running }

  /// Starts the steps.
  var starter: TaskStarter {
    switch home {
    case .tree(let tree): tree.starter
    case .actor(_, let starter): starter
    }
  }

  /// The tree that the run was started in, which holds its chains while they wait.
  var tree: TreeCore? { if case .tree(let tree) = home { tree } else { nil } }

  private var actor: (any Actor)? {
    switch home {
    case .tree(let tree): tree.actor
    case .actor(let actor, _): actor
    }
  }

  /// Starts a chain of steps.
  func begin(_ step: StepNode, on outcome: StepOutcome, of workflow: any WorkflowHooks) {
    guard !isDisposed else { return }
    let task = WorkflowTask(step, on: outcome, in: self, of: workflow)
    running.append(task)
    // One that begins with waiting is bound when its item is active.
    let scope = task.detachedFrom == nil ? outcome.scope : nil
    // An item may stand in another tree than the one that the workflow was started in, or in none.
    if let actor { task.start(on: actor, starter, in: scope.map(\.tree) ?? tree, boundTo: scope) }
  }

  /// Starts a chain that was committed after the run had begun, if the step that it goes on from has been done.
  func takeUp(_ step: StepNode, after anchor: StepNode, of workflow: any WorkflowHooks) {
    if let outcome = outcome(of: anchor) { begin(step, on: outcome, of: workflow) }
  }

  /// Keeps what a step has produced, if a chain can still be committed that continues from it.
  func keep(_ outcome: StepOutcome, of step: StepNode) {
    guard step.canBeContinued else { return }
    while outcomes.count <= step.index { outcomes.append(nil) }
    outcomes[step.index] = outcome
  }

  /// No chain can be committed any more that continues from a step.
  func forget(_ step: StepNode) {
    guard step.index < outcomes.count else { return }
    let forgotten = outcomes[step.index]
    outcomes[step.index] = nil
    withExtendedLifetime(forgotten) {}
  }

  func outcome(of step: StepNode) -> StepOutcome? { step.index < outcomes.count ? outcomes[step.index] : nil }

  /// A step has failed, and with it all chains that go on from it.
  ///
  /// - Returns: whether somebody has taken care of the error.
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

  /// A chain of steps has ended.
  func didEnd(_ task: WorkflowTask, hasFailed: Bool, of workflow: any WorkflowHooks) {
    running.removeAll { $0 === task }
    if !hasFailed { hasSucceeded = true }
    guard running.isEmpty else { return }
    if phase == .running {
      phase = .completed
      if hasSucceeded { workflow.didComplete() }
      waiter?.signal.finish()
    }
    if running.isEmpty { notifyOfLastEnd() }
  }

  private func notifyOfLastEnd() {
    let waiting = lastEnd
    lastEnd = nil
    waiting?.resume()
  }

  /// Cancels what runs, silently, and lets go of what was produced.
  func dispose() {
    guard !isDisposed else { return }
    phase = .disposed
    for task in running { task.cancel(.requested) }
    // Released when the access is over: a value of the user may use the workflow while it is released.
    let released = outcomes
    outcomes = []
    waiter?.signal.finish()
    withExtendedLifetime(released) {}
  }

  // MARK: Waiting for the end

  /// Prepares for somebody to wait for the end, before anything has begun.
  func expectWaiter(for step: StepNode?) -> AsyncStream<Void> {
    let (ended, signal) = AsyncStream<Void>.makeStream()
    waiter = Waiter(step: step, signal: signal)
    return ended
  }

  /// Returns when no chain runs any more, whether or not the calling task is cancelled.
  nonisolated(nonsending) func waitForLastEnd() async {
    await withCheckedContinuation { continuation in
      // Checked here, because the call may suspend before it comes here (Swift 6.3), and the last chain end meanwhile.
      if running.isEmpty { continuation.resume() } else { lastEnd = continuation }
    }
  }

  /// What the waiting is about has failed with this.
  var failure: (any Error)? { waiter?.failure }
}
