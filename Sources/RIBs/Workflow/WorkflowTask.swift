/// The task that goes through a chain of steps, from a fork to the end of the chain. It runs in the scope of the item
/// that it works on, and moves on with the chain.
final class WorkflowTask: BoundTask {
  /// Nil once the task has ended: whoever releases it afterwards, on any thread, releases nothing of the workflow.
  private var journey: Journey?
  /// Whether this is in no scope because it waits for its item, or has waited for a double, and not because the scope
  /// has ended.
  private var isWaiting: Bool
  /// Tells when an item resigns that is no `Interactor`, but a double of one.
  private var activity: (any Disposable)?
  private var doubleHasResigned = false

  private struct Journey {
    let workflow: any WorkflowHooks
    let run: WorkflowRun
    var step: StepNode
    var outcome: StepOutcome
  }

  init(_ step: StepNode, on outcome: StepOutcome, in run: WorkflowRun, of workflow: any WorkflowHooks) {
    outcome.letGo()
    journey = Journey(workflow: workflow, run: run, step: step, outcome: outcome)
    isWaiting = outcome.scope?.hasEnded != true
    super.init(waitingAt: outcome.isReady ? nil : outcome.path, origin: run.origin)
  }

  override func begin(on actor: __owned any Actor, _ executor: any TaskExecutor) -> Handle {
    let crossing = Crossing(self)
    return Task(executorPreference: executor) { await actor.execute(crossing) }
  }

  override nonisolated(nonsending) func execute() async {
    do {
      while try await takeStep() {}
      end(nil)
    } catch {
      end(error)
    }
  }

  /// Whether the scope that this worked in has ended before the work.
  private var hasLostScope: Bool { doubleHasResigned || (scope == nil && keptPath != nil && !isWaiting) }

  /// Does a step, and starts the chains that fork off after it.
  ///
  /// - Returns: whether the chain goes on.
  private nonisolated(nonsending) func takeStep() async throws -> Bool {
    guard let step = journey?.step, let outcome = journey?.outcome else { return false }
    let start = tree.flatMap { $0.isObserved ? $0.now() : nil }
    do {
      guard let produced = try await step.perform(on: outcome, in: self) else { throw WorkflowError.noValue(path) }
      try checkScope()
      endActivity()
      tell(.workflowStepEnded, of: step, since: start)
      return goOn(with: produced)
    } catch {
      endActivity()
      // Why a step was cancelled says more than what it throws then; that is told all the same.
      let reason = hasLostScope ? WorkflowError.itemResigned(path) : error
      tell(.workflowStepFailed, of: step, since: start, isOwn(error) ? error : reason)
      throw reason
    }
  }

  private func tell(_ kind: TreeEvent.Kind, of step: StepNode, since start: Duration?, _ failure: (any Error)? = nil) {
    guard let tree, tree.isObserved, step.doesWork else { return }
    // Of a workflow that was disposed of, only what a step threw by itself.
    guard journey?.run.isDisposed == false || failure.map(isOwn) == true else { return }
    tree.emit(kind, of: self, path: path, step: step.origin, since: start, failure: failure)
  }

  /// Whether a step threw this for a reason of its own.
  private func isOwn(_ error: any Error) -> Bool { !(error is CancellationError || error is WorkflowError) }

  private func goOn(with outcome: StepOutcome) -> Bool {
    guard let journey, !journey.run.isDisposed else { return false }
    journey.run.keep(outcome, of: journey.step)
    let next = journey.step.next
    guard let first = next.first else { return false }
    self.journey?.step = first
    self.journey?.outcome = outcome
    for other in next.dropFirst() { journey.run.begin(other, on: outcome, of: journey.workflow) }
    return true
  }

  /// The chain has ended.
  private func end(_ failure: (any Error)?) {
    guard let journey else { return }
    self.journey = nil
    var untold = failure
    if journey.run.isDisposed {
      untold = nil
    } else if let failure, journey.run.fail(failure, at: journey.step, of: journey.workflow) {
      untold = nil
    }
    journey.run.didEnd(self, hasFailed: failure != nil, of: journey.workflow)
    finish(untold)
  }

  // MARK: The item

  /// Waits until the item of a step is active, and moves to its scope.
  nonisolated(nonsending) func enter<Item, Value>(_ outcome: Outcome<Item, Value>) async throws -> Item {
    try checkScope()
    while true {
      if let item = try outcome.enter(self) {
        // A double that was waited for has no scope to move to.
        isWaiting = scope == nil
        return item
      }
      try await wait(for: outcome)
    }
  }

  private func checkScope() throws { if hasLostScope { throw WorkflowError.itemResigned(path) } }

  /// Returns when an item is active, or gone.
  private nonisolated(nonsending) func wait(for outcome: StepOutcome) async throws {
    guard let stream = outcome.awaited?.isActiveStream else { return }
    let path = outcome.path
    let last = scope
    outcome.letGo()
    isWaiting = true
    leaveScope(waitingAt: path)
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let subscription = stream.subscribe(
      onNext: { isActive in if isActive { signal.yield() } }, onCompleted: { signal.finish() })
    defer { subscription.dispose() }
    let timeout = journey?.run.timeout
    let clock: any Clock<Duration> = tree?.configuration.clock ?? SuspendingClock()
    let timer = timeout.map { timeout in
      Task(away: tree?.awayExecutor) {
        try? await clock.sleep(for: timeout)
        signal.finish()
      }
    }
    defer { timer?.cancel() }
    for await _ in signals where outcome.isReady { return }
    // An error is told to the interactor that the chain has worked for last, if it is still active.
    if let last, !last.hasEnded {
      isWaiting = false
      move(to: last)
    }
    if tree?.hasEnded == true { throw TreeEnded() }
    try Task.checkCancellation()
    guard outcome.awaited != nil, let timeout else { throw outcome.lost }
    throw WorkflowError.timedOut(path, after: timeout)
  }

  /// Cancels the step when a double resigns.
  func watch(_ double: any InteractorScope) {
    activity = double.isActiveStream.subscribe(onNext: { [weak self] isActive in
      guard let self, !isActive else { return }
      doubleHasResigned = true
      cancel()
    })
  }

  private func endActivity() {
    activity?.dispose()
    activity = nil
  }
}
