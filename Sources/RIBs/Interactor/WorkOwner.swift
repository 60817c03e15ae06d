/// What work is bound to: an interactor, for one activation, or a worker, for one run.
protocol WorkOwner: AnyObject {
  /// The router of the RIB, while there is one.
  var node: Unmanaged<RouterNode>? { get }

  /// What is bound now; nil when nothing has been.
  var work: ScopedWork? { get set }

  /// Why asynchronous work can't be bound now, for any reason but the lack of a tree.
  var refusalOfTasks: Misuse.Problem? { get }

  func didFail(_ error: any Error)
  func report(_ problem: Misuse.Problem)
}

extension WorkOwner {
  /// What is bound now.
  func openWork() -> ScopedWork {
    if let work { return work }
    let new = ScopedWork(owner: self)
    work = new
    return new
  }

  func startTask(
    from origin: TaskOrigin, _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> Admission {
    startTreeTask(from: origin, operation) == nil ? .inactive : .started
  }

  /// - Returns: the task, for those who may want to cancel it before its scope ends; nil if it was not started.
  func startTreeTask(
    from origin: TaskOrigin, _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> BoundTask? {
    guard let tree = treeForWork() else { return nil }
    let task = TreeTask(scope: openWork(), origin: origin, operation)
    task.start(in: tree)
    return task
  }

  func startTask(
    named key: String, _ overlap: Overlap, from origin: TaskOrigin,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> Admission {
    guard let tree = treeForWork() else { return .inactive }
    let scope = openWork()
    return scope.admit(named: key, overlap, in: tree) { TreeTask(scope: scope, origin: origin, operation) }
  }

  func startRun<Value: Sendable>(
    from origin: TaskOrigin, _ operation: @escaping @Sendable () async throws -> Value,
    then handler: @escaping (Value) -> Void
  ) -> Admission {
    guard let tree = treeForWork() else { return .inactive }
    AwayTask(scope: openWork(), origin: origin, operation, then: handler).start(in: tree)
    return .started
  }

  func startRun<Value: Sendable>(
    named key: String, _ overlap: Overlap, from origin: TaskOrigin,
    _ operation: @escaping @Sendable () async throws -> Value, then handler: @escaping (Value) -> Void
  ) -> Admission {
    guard let tree = treeForWork() else { return .inactive }
    let scope = openWork()
    return scope.admit(named: key, overlap, in: tree) {
      AwayTask(scope: scope, origin: origin, operation, then: handler)
    }
  }

  /// The tree in which work can be started now; without one, that is reported.
  private func treeForWork() -> TreeCore? {
    if let problem = refusalOfTasks {
      report(problem)
      return nil
    }
    guard let tree = node?._withUnsafeGuaranteedRef({ $0.tree })?.takeUnretainedValue() else {
      report(.workOutsideTree)
      return nil
    }
    tree.checkIsolation()
    // Whatever ends the tree may be the release of its actor, on which nothing can be started any more.
    guard !tree.hasEnded else {
      report(.workOfInactive)
      return nil
    }
    return tree
  }
}
