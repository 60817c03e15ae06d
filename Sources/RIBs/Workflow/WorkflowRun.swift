/// One run of a workflow: what was started with one item.
final class WorkflowRun: Endable {
  let origin: TaskOrigin
  let timeout: Duration?
  private let home: Home
  /// What the steps have produced, by their index; for chains that are committed later.
  private var outcomes: [StepOutcome?] = []
  private var running: [WorkflowTask] = []
  private(set) var isDisposed = false
  private(set) var hasCompleted = false
  private var hasSucceeded = false
  private var waiter: Waiter?

  /// Where a run takes place.
  enum Home {
    case tree(TreeCore)
    case actor(any Actor, HomeExecutor)
  }

  /// Whoever waits for the end of a run.
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

  var hasEnded: Bool { isDisposed || hasCompleted }

  /// Starts a chain of steps.
  func begin(_ step: StepNode, on outcome: StepOutcome, of workflow: any WorkflowHooks) {
    guard !isDisposed else { return }
    let task = WorkflowTask(step, on: outcome, in: self, of: workflow)
    running.append(task)
    // One that begins with waiting is bound when its item is active.
    let scope = task.keptPath == nil ? outcome.scope : nil
    switch home {
    case .tree(let tree): task.start(in: tree, boundTo: scope)
    case .actor(let actor, let executor): task.start(on: actor, executor, boundTo: scope)
    }
  }

  /// Starts a chain that was committed after the run had begun, if the step that it goes on from has been done.
  func takeUp(_ step: StepNode, after anchor: StepNode, of workflow: any WorkflowHooks) {
    if let outcome = outcome(of: anchor) { begin(step, on: outcome, of: workflow) }
  }

  func keep(_ outcome: StepOutcome, of step: StepNode) {
    while outcomes.count <= step.index { outcomes.append(nil) }
    outcomes[step.index] = outcome
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
    guard running.isEmpty, !hasEnded else { return }
    hasCompleted = true
    if hasSucceeded { workflow.didComplete() }
    waiter?.signal.finish()
  }

  /// Cancels what runs, silently, and lets go of what was produced.
  func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    for task in running { task.cancel() }
    outcomes = []
    waiter?.signal.finish()
  }

  // MARK: Waiting for the end

  /// Prepares for somebody to wait for the end, before anything has begun.
  func expectWaiter(for step: StepNode?) -> AsyncStream<Void> {
    let (ended, signal) = AsyncStream<Void>.makeStream()
    waiter = Waiter(step: step, signal: signal)
    return ended
  }

  /// What the waiting is about has failed with this.
  var failure: (any Error)? { waiter?.failure }
}
