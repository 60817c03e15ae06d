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

  /// Starts work.
  ///
  /// - Parameter make: makes it, for the scope that it is bound to.
  /// - Returns: the work; nil if none can be started now, which has been reported.
  @discardableResult
  func start<Work: BoundTask>(_ make: (ScopedWork) -> Work) -> Work? {
    guard let tree = treeForWork() else { return nil }
    let work = make(openWork())
    work.start(in: tree)
    return work
  }

  /// Starts work that nobody has to know again.
  func admit(_ make: (ScopedWork) -> BoundTask) -> Admission { start(make) == nil ? .inactive : .started }

  /// Starts work, unless work of the same name says otherwise.
  func start(named key: String, _ overlap: Overlap, _ make: (ScopedWork) -> BoundTask) -> Admission {
    guard let tree = treeForWork() else { return .inactive }
    let scope = openWork()
    return scope.admit(named: key, overlap, in: tree) { make(scope) }
  }

  func startTask(
    from origin: TaskOrigin, _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> Admission {
    admit { TreeTask(scope: $0, origin: origin, operation) }
  }

  func startTask(
    named key: String, _ overlap: Overlap, from origin: TaskOrigin,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> Admission {
    start(named: key, overlap) { TreeTask(scope: $0, origin: origin, operation) }
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
