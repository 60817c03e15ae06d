// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The task that runs a chain of steps, from a fork to its end. It moves to the scope of each item that it works on.
@usableFromInline
final class WorkflowTask: OnTreeTask {
  /// Nil after the task has ended, so that its later release, on any thread, releases nothing of the workflow.
  private var progress: Progress?
  private var chain: ChainState
  /// Observes the activity of an item that is a double, not an `Interactor`.
  private var activity: (any Disposable)?
  /// The timeout of the running step, if it has one.
  private var stepLimit: StepTimeLimit?

  private struct Progress {
    let workflow: any WorkflowHooks
    let run: WorkflowRun
    var step: StepNode
    var outcome: StepOutcome
  }

  init(_ step: StepNode, on outcome: StepOutcome, in run: WorkflowRun, of workflow: any WorkflowHooks) {
    outcome.releaseItem()
    progress = Progress(workflow: workflow, run: run, step: step, outcome: outcome)
    let isReady = outcome.isReady
    chain = ChainState(isReady: isReady, scopeHasEnded: outcome.scope?.hasEnded == true)
    super.init(waitingAt: isReady ? nil : outcome.path, origin: run.origin)
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

  /// A step with a timeout counts too: its time goes on while the tree is not awake.
  override var isAwaited: Bool { stepLimit != nil || progress?.run.isAwaited == true }

  /// Whether the task begins in the scope of its first item. If not, it waits for the item, or finds that its scope has
  /// ended.
  var beginsInScope: Bool { chain == .working }

  override func scopeDidEnd() { chain.lose() }

  /// Throws the reason why the chain can't continue.
  private func checkChain() throws { if let failure = chain.failure(at: path) { throw failure } }

  /// Runs a step, and starts the chains that fork off after it.
  ///
  /// - Returns: whether the chain continues.
  private nonisolated(nonsending) func takeStep() async throws -> Bool {
    guard let step = progress?.step, let outcome = progress?.outcome else { return false }
    let start = tree.flatMap { $0.isObserved ? $0.now() : nil }
    do {
      if isCancelled { throw CancellationError() }
      guard let produced = try await step.perform(on: outcome, in: self) else { throw WorkflowError.noValue(path) }
      try checkChain()
      endActivity()
      emit(.workflowStepEnded, of: step, since: start)
      return await proceed(with: produced)
    } catch {
      endActivity()
      // Throw the reason for the cancellation instead of the `CancellationError` that follows it. The event keeps an
      // error of the step itself.
      let reason = chain.failure(at: path) ?? error
      emit(.workflowStepFailed, of: step, since: start, isOwn(error) ? error : reason)
      throw reason
    }
  }

  private func emit(_ kind: TreeEvent.Kind, of step: StepNode, since start: Duration?, _ failure: (any Error)? = nil) {
    // A chain that started after its tree had ended does not belong to the tree's work.
    guard let tree, isCounted, tree.isObserved(kind), step.doesWork else { return }
    // After disposal, report only errors that a step threw itself.
    guard progress?.run.isDisposed == false || failure.map(isOwn) == true else { return }
    tree.emit(
      kind, of: self, BoundWork(id: work.id, origin: step.origin), since: start, failure.map { .failure($0) })
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
    if first.doesWork { await progress.run.starter.continueInTurn() }
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

  /// Throws the reason why this can't enter the scope of an item.
  @usableFromInline
  func checkEntry() throws {
    try checkChain()
    if isCancelled { throw CancellationError() }
  }

  /// Called in the scope of the item, before the step begins.
  @usableFromInline
  func didEnter(_ outcome: StepOutcome) throws {
    // A double has no scope: it belongs to the scope of an earlier item, which may have ended during the wait.
    if scope == nil, outcome.scope?.hasEnded == true { chain.lose() } else { chain.enter() }
    // Observers of the tree may have ended the scope meanwhile.
    try checkEntry()
    guard let step = progress?.step else { return }
    progress?.run.starter.willStep(of: step.origin)
    if let timeout = step.timeout { limitStep(to: timeout) }
  }

  /// Limits the time of the step that begins now, unless the actor is being released.
  private func limitStep(to timeout: Duration) {
    guard let actor = tree?.actor ?? progress?.run.actor else { return }
    let limit = StepTimeLimit { [weak self] in
      self?.chain.exceed(timeout)
      self?.cancelSwiftTask()
    }
    let box = IsolationBox(limit)
    let clock: any Clock<Duration> = tree?.settings.clock ?? SuspendingClock()
    limit.timer = StartedTimer(on: clock, after: timeout, executor: tree?.settings.offTreeExecutor) {
      await actor.with(box) { (limit: StepTimeLimit) in limit.expire() }
    }
    stepLimit = limit
  }

  /// Returns in a turn after an item has become active or was released.
  @usableFromInline
  nonisolated(nonsending) func wait(for outcome: StepOutcome) async throws {
    try await waitForActivity(of: outcome)
    await progress?.run.starter.continueInTurn()
  }

  private nonisolated(nonsending) func waitForActivity(of outcome: StepOutcome) async throws {
    guard let stream = outcome.awaited?.isActiveStream else { return }
    if tree == nil, let home = progress?.run.tree { changeTree(to: home) }
    // In an ended tree, nothing would end the wait.
    if tree?.hasEnded == true { throw TreeEnded() }
    // Observers of that tree may have ended the scope.
    try checkChain()
    progress?.run.starter.didCheck()
    let path = outcome.path
    let last = scope
    outcome.releaseItem()
    chain.wait()
    leaveScope(waitingAt: path)
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let subscription = stream.subscribe(
      onNext: { isActive in if isActive { signal.yield() } }, onCompleted: { signal.finish() })
    defer { subscription.dispose() }
    let timeout = progress?.run.timeout
    let clock: any Clock<Duration> = tree?.settings.clock ?? SuspendingClock()
    let timer = timeout.map { timeout in
      StartedTimer(on: clock, after: timeout, executor: tree?.settings.offTreeExecutor) { signal.finish() }
    }
    defer { timer?.cancel() }
    for await _ in signals where outcome.isReady { return }
    // Report an error to the interactor that the chain worked for last, if it is still active.
    if let last, !last.hasEnded {
      chain.enter()
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
      chain.lose()
      cancel(.scopeEnded)
    })
  }

  private func endActivity() {
    activity.take()?.dispose()
    stepLimit.take()?.end()
  }
}

/// The time limit of one step of a workflow.
final class StepTimeLimit: TreeConfined {
  var timer: StartedTimer?
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
    timer.take()?.cancel()
    let released = onExpiry
    onExpiry = nil
    withExtendedLifetime(released) {}
  }
}
