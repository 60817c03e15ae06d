/// The task that runs a chain of steps, from a fork to its end. It moves to the scope of each item that it works on.
final class WorkflowTask: OnTreeTask {
  /// Nil after the task has ended, so that its later release, on any thread, releases nothing of the workflow.
  private var progress: Progress?
  /// Why the task is in no scope: true if it waits for its item, or has waited for a test double; false if its scope has
  /// ended.
  private var isWaiting: Bool
  /// Observes the activity of an item that is a double, not an `Interactor`.
  private var activity: (any Disposable)?
  private var doubleHasResigned = false
  /// Whether the next step runs right after the current checks, with nothing in between.
  private var isInTurn = true
  /// The timeout that a step has exceeded. The Swift task is cancelled then, which ends the chain.
  private var exceeded: Duration?

  private struct Progress {
    let workflow: any WorkflowHooks
    let run: WorkflowRun
    var step: StepNode
    var outcome: StepOutcome
  }

  init(_ step: StepNode, on outcome: StepOutcome, in run: WorkflowRun, of workflow: any WorkflowHooks) {
    outcome.releaseItem()
    progress = Progress(workflow: workflow, run: run, step: step, outcome: outcome)
    isWaiting = outcome.scope?.hasEnded != true
    super.init(waitingAt: outcome.isReady ? nil : outcome.path, origin: run.origin)
  }

  /// False: a chain that is cancelled before its first step ends like one cancelled later. Its waiters and handlers
  /// are called in a separate job.
  override var endsUnbegun: Bool { false }

  override nonisolated(nonsending) func execute() async {
    _ = begin()
    do {
      while try await takeStep() {}
      end(nil)
    } catch {
      end(error)
    }
  }

  /// Whether the scope that this worked in ended before the work did.
  private var hasLostScope: Bool { doubleHasResigned || (isOutsideScope && detachedFrom != nil && !isWaiting) }

  /// Runs a step, and starts the chains that fork off after it.
  ///
  /// - Returns: whether the chain continues.
  private nonisolated(nonsending) func takeStep() async throws -> Bool {
    guard let step = progress?.step, let outcome = progress?.outcome else { return false }
    let start = tree.flatMap { $0.isObserved ? $0.now() : nil }
    do {
      if isCancelled { throw CancellationError() }
      guard let produced = try await step.perform(on: outcome, in: self) else { throw WorkflowError.noValue(path) }
      try checkScope()
      if let exceeded { throw WorkflowError.stepTimedOut(path, after: exceeded) }
      endActivity()
      emit(.workflowStepEnded, of: step, since: start)
      return await proceed(with: produced)
    } catch {
      endActivity()
      // Throw the reason for the cancellation instead of the `CancellationError` that follows it. The event keeps an
      // error of the step itself.
      let timedOut = exceeded.map { WorkflowError.stepTimedOut(path, after: $0) }
      let reason = hasLostScope ? WorkflowError.itemResigned(path) : timedOut ?? error
      emit(.workflowStepFailed, of: step, since: start, isOwn(error) ? error : reason)
      throw reason
    }
  }

  private func emit(_ kind: TreeEvent.Kind, of step: StepNode, since start: Duration?, _ failure: (any Error)? = nil) {
    // A chain that started after its tree had ended does not belong to the tree's work.
    guard let tree, isCounted, tree.isObserved(kind), step.doesWork else { return }
    // After disposal, report only errors that a step threw itself.
    guard progress?.run.isDisposed == false || failure.map(isOwn) == true else { return }
    tree.emit(kind, of: self, step: step.origin, since: start, failure)
  }

  /// Whether the step itself threw this error.
  private func isOwn(_ error: any Error) -> Bool { !(error is CancellationError || error is WorkflowError) }

  private nonisolated(nonsending) func proceed(with outcome: StepOutcome) async -> Bool {
    guard let progress, !progress.run.isDisposed else { return false }
    progress.run.keep(outcome, of: progress.step)
    // Chains committed after this point are started when they are committed.
    let next = progress.step.next
    guard let first = next.first else { return false }
    self.progress?.step = first
    self.progress?.outcome = outcome
    if first.doesWork {
      await progress.run.starter.continueInTurn()
      isInTurn = true
    }
    guard !progress.run.isDisposed else { return false }
    for other in next.dropFirst() { progress.run.begin(other, on: outcome, of: progress.workflow) }
    return true
  }

  /// Records the end of the chain, and reports an unhandled error.
  private func end(_ failure: (any Error)?) {
    guard let progress else { return }
    progress.run.starter.didCheck()
    self.progress = nil
    var unreported = failure
    if progress.run.isDisposed {
      unreported = nil
    } else if let failure, progress.run.fail(failure, at: progress.step, of: progress.workflow) {
      unreported = nil
    }
    progress.run.didEnd(self, hasFailed: failure != nil, of: progress.workflow)
    finish(throwing: unreported)
  }

  // MARK: The item

  /// Waits until the item of a step is active, and moves to its scope.
  nonisolated(nonsending) func enter<Item, Value>(_ outcome: Outcome<Item, Value>) async throws -> Item {
    while true {
      if !isInTurn {
        await progress?.run.starter.continueInTurn()
        isInTurn = true
      }
      try checkScope()
      if isCancelled { throw CancellationError() }
      if let item = try outcome.enter(self) {
        // A test double has no scope, so the task stays outside one.
        isWaiting = isOutsideScope && outcome.scope?.hasEnded != true
        // Observers of the tree may have ended the scope meanwhile.
        try checkScope()
        if isCancelled { throw CancellationError() }
        if let progress { progress.run.starter.willStep(of: progress.step.origin) }
        return item
      }
      isInTurn = false
      try await wait(for: outcome)
    }
  }

  /// Limits the time of the step that begins now.
  ///
  /// - Returns: the limit, to be ended with the step; nil while the actor is being released.
  func limitStep(to timeout: Duration) -> StepTimeLimit? {
    guard let actor = tree?.actor ?? progress?.run.actor else { return nil }
    let limit = StepTimeLimit { [weak self] in
      self?.exceeded = timeout
      self?.cancelSwiftTask()
    }
    let box = IsolationBox(limit)
    let clock: any Clock<Duration> = tree?.configuration.value.clock ?? SuspendingClock()
    limit.timer = TreeConfiguration.WorkContext.own().task(on: tree?.offTreeExecutor) {
      try await clock.wait(for: timeout)
      await actor.expire(box)
    }
    return limit
  }

  private func checkScope() throws { if hasLostScope { throw WorkflowError.itemResigned(path) } }

  /// Returns when an item is active or released.
  private nonisolated(nonsending) func wait(for outcome: StepOutcome) async throws {
    guard let stream = outcome.awaited?.isActiveStream else { return }
    if tree == nil, let home = progress?.run.tree { changeTree(to: home) }
    // In an ended tree, nothing would end the wait.
    if tree?.hasEnded == true { throw TreeEnded() }
    progress?.run.starter.didCheck()
    let path = outcome.path
    let last = scope
    outcome.releaseItem()
    isWaiting = true
    leaveScope(waitingAt: path)
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let subscription = stream.subscribe(
      onNext: { isActive in if isActive { signal.yield() } }, onCompleted: { signal.finish() })
    defer { subscription.dispose() }
    let timeout = progress?.run.timeout
    let clock: any Clock<Duration> = tree?.configuration.value.clock ?? SuspendingClock()
    let timer = timeout.map { timeout in
      TreeConfiguration.WorkContext.inherited.task(on: tree?.offTreeExecutor) {
        try? await clock.wait(for: timeout)
        signal.finish()
      }
    }
    defer { timer?.cancel() }
    for await _ in signals where outcome.isReady { return }
    // Report an error to the interactor that the chain worked for last, if it is still active.
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
      cancel(.scopeEnded)
    })
  }

  private func endActivity() {
    activity?.dispose()
    activity = nil
  }
}

/// The time limit of one step of a workflow.
final class StepTimeLimit {
  var timer: Task<Void, any Error>?
  /// Nil after the step has ended.
  private var onExpiry: (() -> Void)?

  init(_ onExpiry: @escaping () -> Void) { self.onExpiry = onExpiry }

  /// Called when the time is over, unless the step has ended.
  func expire() {
    let action = onExpiry
    end()
    action?()
  }

  func end() {
    timer?.cancel()
    timer = nil
    let released = onExpiry
    onExpiry = nil
    withExtendedLifetime(released) {}
  }
}
