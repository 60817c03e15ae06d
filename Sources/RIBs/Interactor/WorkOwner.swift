/// What work is bound to: an interactor, for one activation, or a worker, for one run.
protocol WorkOwner: AnyObject {
  /// This, for what is bound to it.
  var owner: ScopedWork.Owner { get }

  /// The router of the RIB, while there is one.
  var node: Unmanaged<RouterNode>? { get }

  /// What is bound now; nil when nothing has been.
  var work: ScopedWork? { get set }

  /// Why asynchronous work can't be bound now, for any reason but the lack of a tree.
  var refusalOfTasks: Misuse.Problem? { get }

  /// Where the context of work comes from that is started now, in a tree whose own work has the given one.
  func context(_ own: WorkContext) -> WorkContext

  func report(_ problem: Misuse.Problem)
}

extension WorkOwner {
  /// What is bound now.
  func openWork() -> ScopedWork {
    if let work { return work }
    let new = ScopedWork(owner: owner)
    work = new
    return new
  }

  /// Starts work, unless work of the same name says otherwise.
  ///
  /// - Parameter overlap: what happens while such work is running, for work that has a name.
  /// - Returns: what became of the request. If no work can be started now, that has been reported.
  func start(_ task: BoundTask, _ overlap: Overlap? = nil) -> Admission {
    guard let tree = treeForWork() else { return .inactive }
    // Once it is bound, the task keeps the inside of the tree.
    return tree._withUnsafeGuaranteedRef { tree in
      let scope = openWork()
      let context = context(tree.configuration.workContext)
      if let overlap, let key = task.origin.key, tree.canStartWork {
        return scope.admit(task, named: key, overlap, in: tree, context)
      }
      if task.start(in: tree, boundTo: scope, context) { return .started }
      report(.workOfInactive)
      return .inactive
    }
  }

  /// The tree in which work can be started now; without one, that is reported.
  private func treeForWork() -> Unmanaged<TreeCore>? {
    if let problem = refusalOfTasks {
      report(problem)
      return nil
    }
    guard let tree = node?._withUnsafeGuaranteedRef({ $0.tree }) else {
      report(.workOutsideTree)
      return nil
    }
    let canStart = tree._withUnsafeGuaranteedRef { tree in
      tree.checkIsolation()
      return !tree.hasEnded
    }
    guard canStart else {
      report(.workOfInactive)
      return nil
    }
    return tree
  }
}
