/// Carries an object of a tree through code that runs elsewhere, to where the tree's actor runs again: the only thing of
/// a tree that leaves it.
///
/// It is safe because only the methods below look inside, and all of them run isolated to the tree's actor. What the
/// object captured is released there too, so that what is left to release elsewhere holds nothing of the tree.
///
/// This is the one `@unchecked Sendable` of the package, and not generic: a generic one loses `nonisolated(nonsending)`
/// on the operation (Swift 6.3).
struct IsolationBox: @unchecked Sendable {
  fileprivate let content: AnyObject

  init(_ task: BoundTask) { content = task }

  init(_ starter: TaskStarter) { content = starter }

  init(_ detector: LeakDetector) { content = detector }

  init(_ tree: WeakTreeBox) { content = tree }
}

extension Actor {
  /// Starts the tasks of a tree that are ready.
  func startReady(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: TaskStarter.self).startReady(on: unownedExecutor)
  }

  /// Continues a task of a tree that waits for a turn.
  func resume(_ continuation: UnsafeContinuation<Void, Never>, with box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: TaskStarter.self).resume(continuation, on: unownedExecutor)
  }

  /// Runs a task of a tree whose actor this is.
  ///
  /// The isolation is used before the operation is called: otherwise the hop to this actor is left out (Swift 6.3).
  func execute(_ box: IsolationBox) async {
    preconditionIsolated()
    await unsafeDowncast(box.content, to: BoundTask.self).execute()
  }

  /// Delivers the result of work that ran off the tree whose actor this is.
  func deliver<Value: Sendable>(_ value: Value, to box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: RunTask<Value>.self).deliver(value)
  }

  /// Takes over a child that was built off the tree whose actor this is.
  func adopt<Child: Routing & SendableMetatype>(_ child: sending Prepared<Child>, through box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: PreparingTask<Child>.self).adopt(child)
  }

  /// Ends a task of the tree whose actor this is without a result.
  func end(_ box: IsolationBox, with error: any Error) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: BoundTask.self).finish(throwing: error)
  }

  /// Checks for leaks in a tree whose actor this is.
  func leakTimerFired(_ box: IsolationBox) {
    preconditionIsolated()
    unsafeDowncast(box.content, to: LeakDetector.self).timerFired()
  }

  /// Takes a snapshot of a tree whose actor this is; nil if the tree has ended.
  func snapshot(of box: IsolationBox) -> TreeSnapshot? {
    preconditionIsolated()
    return unsafeDowncast(box.content, to: WeakTreeBox.self).tree?.snapshot()
  }

  /// Adds an observer to the events of a tree whose actor this is.
  ///
  /// - Returns: false if the tree has ended.
  func observe(_ box: IsolationBox, _ observer: @escaping TreeHandle.Observer) -> Bool {
    preconditionIsolated()
    guard let tree = unsafeDowncast(box.content, to: WeakTreeBox.self).tree, tree.hasRoot else { return false }
    tree.observe(observer)
    return true
  }
}
