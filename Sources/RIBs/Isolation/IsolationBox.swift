/// Carries an object of a tree through nonisolated code back to the tree's actor. Nothing else of a tree leaves its
/// actor.
///
/// It is safe because only the methods below access the object, all isolated to the tree's actor. The object's captures
/// are released there too, so a final release elsewhere releases nothing of the tree.
///
/// This is the only `@unchecked Sendable` type of the package. It is not generic, because a generic one loses
/// `nonisolated(nonsending)` on the operation (Swift 6.3).
struct IsolationBox: @unchecked Sendable {
  fileprivate let content: AnyObject

  init(_ task: BoundTask) { content = task }

  init(_ starter: TaskStarter) { content = starter }

  init(_ detector: LeakDetector) { content = detector }

  init(_ tree: WeakTreeBox) { content = tree }

  init(_ reader: TreeReader) { content = reader }

  init(_ turns: TurnMonitor) { content = turns }

  init(_ saver: TreeSaver) { content = saver }

  init(_ call: CapturedContext.Call) { content = call }

  init(_ limit: StepTimeLimit) { content = limit }
}

extension Actor {
  /// Starts the tasks of a tree that are ready.
  func startReady(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: TaskStarter.self).startReady(on: unownedExecutor)
  }

  /// Makes the call of a captured context.
  func make(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: CapturedContext.Call.self).make()
  }

  /// Resumes a task of a tree that waits in `TaskStarter.continueInTurn()`.
  func resume(_ continuation: UnsafeContinuation<Void, Never>, with box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: TaskStarter.self).resume(continuation, on: unownedExecutor)
  }

  /// Runs a task of the tree on this actor.
  ///
  /// The precondition uses the isolation before the operation is called: otherwise the compiler omits the hop to this
  /// actor (Swift 6.3).
  func execute(_ box: IsolationBox) async {
    preconditionIsolated()
    await unsafeDowncast(box.content, to: BoundTask.self).execute()
  }

  /// Delivers the result of work that ran off the tree on this actor.
  func deliver<Value: Sendable>(_ value: Value, to box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: RunTask<Value>.self).deliver(value)
  }

  /// Adopts a child that was built off the tree on this actor.
  func adopt<Child: Routing & SendableMetatype>(_ child: sending Prepared<Child>, through box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: PreparingTask<Child>.self).adopt(child)
  }

  /// Runs what a tree has postponed to the end of a turn.
  func finishTurn(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: WeakTreeBox.self).tree?.finishTurn()
  }

  /// Cancels bound work at the request of code outside the tree.
  func cancel(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: BoundTask.self).cancel(.requested)
  }

  /// Disposes of the subscription of a reader outside the tree.
  func dispose(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: TreeReader.self).dispose()
  }

  /// Cancels bound work at its timeout.
  func timeOut(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: BoundTask.self).cancel(.timedOut)
  }

  /// Cancels a step of a workflow at its timeout.
  func expire(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: StepTimeLimit.self).expire()
  }

  /// Ends a task of the tree on this actor without a result.
  func end(_ box: IsolationBox, with error: any Error) {
    preconditionIsolated()
    let task = unsafeDowncast(box.content, to: BoundTask.self)
    task.inTurn { task.finish(throwing: error) }
  }

  /// Begins to measure a step of bound work on this actor.
  ///
  /// - Returns: whether the task is known, and the step is measured until `endStep(_:)`.
  func beginStep(_ box: IsolationBox, of task: Int) -> Bool {
    preconditionIsolated()
    return unsafeDowncast(box.content, to: TurnMonitor.self).beginStep(of: task)
  }

  /// Ends the measurement of a step on this actor.
  func endStep(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: TurnMonitor.self).end()
  }

  /// Checks for leaks in the tree on this actor.
  func leakTimerFired(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: LeakDetector.self).timerFired()
  }

  /// Takes a snapshot of the tree on this actor; nil if the tree has ended.
  func snapshot(of box: IsolationBox) -> TreeSnapshot? {
    preconditionIsolated()
    return unsafeDowncast(box.content, to: WeakTreeBox.self).tree?.snapshot()
  }

  /// Takes a snapshot of the tree on this actor, with what a fold of its events needs.
  func keyframe(of box: IsolationBox, _ withSummaries: Bool, _ body: (TreeKeyframe?) -> Void) {
    preconditionIsolated()
    body(unsafeDowncast(box.content, to: WeakTreeBox.self).tree?.keyframe(withSummaries))
  }

  /// Captures the tree on this actor, if it is to be saved.
  func capture(_ box: IsolationBox) -> SavedTree? {
    preconditionIsolated()
    return unsafeDowncast(box.content, to: TreeSaver.self).capture()
  }

  /// Ends the pause after a save of the tree on this actor.
  func endSavePause(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: WeakTreeBox.self).tree?.saver?.endPause()
  }

  /// Notifies the tree on this actor that it was saved, or why not.
  ///
  /// - Returns: what is to be saved next.
  func didSave(_ box: IsolationBox, _ result: Result<Void, any Error>) -> SavedTree? {
    preconditionIsolated()
    return unsafeDowncast(box.content, to: TreeSaver.self).didSave(result)
  }

  /// Adds an observer of the events of the tree on this actor.
  ///
  /// - Returns: false if the tree has ended.
  func observe(_ box: IsolationBox, _ observer: @escaping TreeHandle.Observer) -> Bool {
    preconditionIsolated()
    guard let tree = unsafeDowncast(box.content, to: WeakTreeBox.self).tree, tree.hasRoot else { return false }
    tree.events?.observe(observer, in: tree)
    return true
  }
}
