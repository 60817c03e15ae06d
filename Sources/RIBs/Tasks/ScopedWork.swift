/// What is bound to one activation of an interactor, or to one run of a worker: subscriptions and running tasks.
@usableFromInline
final class ScopedWork {
  /// Valid until `end()`, and not used afterwards: the owner ends this before it goes itself.
  private let owner: Owner
  // The accesses to these are not checked at run time. Whoever changes one holds what goes, so that nothing else runs
  // meanwhile.
  @exclusivity(unchecked) private var disposables = DisposableList()
  @exclusivity(unchecked) private(set) var tasks = TaskList()
  @exclusivity(unchecked) private(set) var hasEnded = false
  /// The work that was given a name, by that name.
  @exclusivity(unchecked) private var named: [String: NamedWork]?
  /// What was made for this activation, once for each declaration.
  @exclusivity(unchecked) var instances: [SharedSlot] = []

  /// Work of one name, as long as there is any.
  private struct NamedWork {
    /// What has been started and not superseded, until it has ended and that has been told.
    var running: [BoundTask] = []
    var waiting = FIFO<BoundTask>()

    var isBusy: Bool { !waiting.isEmpty || running.contains { !$0.hasEnded } }

    mutating func cancelAll(_ reason: TaskState.Cancellation) {
      for task in running { task.cancel(reason) }
      discardWaiting()
    }

    /// Gives up what has not been started.
    mutating func discardWaiting() { while let task = waiting.popFirst() { task.cancel(.superseded) } }
  }

  /// What the work is bound to. A reference to a `WorkOwner` would be taken and given back with each use.
  enum Owner {
    case interactor(Unmanaged<Interactor>)
    case worker(Unmanaged<Worker>)
  }

  init(owner: Owner) { self.owner = owner }

  /// The router of the RIB, while there is one, until the end.
  var node: Unmanaged<RouterNode>? {
    guard !hasEnded else { return nil }
    return switch owner {
    case .interactor(let interactor): interactor._withUnsafeGuaranteedRef { $0.node }
    case .worker(let worker): worker._withUnsafeGuaranteedRef { $0.node }
    }
  }

  /// The tree that the RIB is active in; nil outside trees, and after the end.
  var tree: TreeCore? { node?._withUnsafeGuaranteedRef { $0.tree }?.takeUnretainedValue() }

  /// The interactor that the work is bound to itself, until the end.
  var interactor: Interactor? {
    guard !hasEnded, case .interactor(let interactor) = owner else { return nil }
    return interactor.takeUnretainedValue()
  }

  /// How many subscriptions are live.
  var subscriptionCount: Int {
    let disposables = disposables
    return disposables.count
  }

  func add(_ disposable: any Disposable) {
    disposables.append(disposable)
    guard let sweep = disposables.beginSweep() else { return }
    let live = sweep.findLive()
    disposables.endSweep(sweep, keeping: live)
    withExtendedLifetime((sweep, live)) {}
  }

  func add(_ task: BoundTask) { tasks.append(task) }

  func remove(_ task: BoundTask) { tasks.remove(task) }

  /// Decides what becomes of work of a name.
  func admit(
    _ task: BoundTask, named key: String, _ overlap: OverlapPolicy, in tree: TreeCore, _ context: WorkContext
  ) -> TaskStart {
    let isBusy = named?[key]?.isBusy ?? false
    switch overlap {
    case .ignoreWhileRunning where isBusy:
      return .ignored
    case .enqueue where named?.keys.contains(key) == true:
      task.enqueue(in: tree, context)
      named?[key]?.waiting.append(task)
      return .queued
    case .cancelPrevious:
      let replaced = named?.removeValue(forKey: key)
      start(task, named: key, in: tree, context)
      if var replaced { replaced.cancelAll(.superseded) }
      return isBusy ? .replaced : .started
    default:
      start(task, named: key, in: tree, context)
      return .started
    }
  }

  /// Work of a name has ended, and that has been told: the next that waits has its turn.
  func didEnd(_ task: BoundTask, named key: String, in tree: TreeCore) {
    guard !hasEnded, !hasReplaced(task) else { return }
    named?[key]?.running.removeAll { $0 === task }
    guard named?[key]?.running.isEmpty == true else { return }
    if let next = named?[key]?.waiting.popFirst() {
      start(next, named: key, in: tree, .inherited)
    } else {
      named?[key] = nil
    }
  }

  /// Whether later work has taken the place of work with a name.
  func hasReplaced(_ task: BoundTask) -> Bool {
    guard let key = task.origin.key, !hasEnded else { return false }
    return named?[key]?.running.contains { $0 === task } != true
  }

  private func start(_ task: BoundTask, named key: String, in tree: TreeCore, _ context: WorkContext) {
    if named == nil { named = [:] }
    named?[key, default: NamedWork()].running.append(task)
    task.start(in: tree, boundTo: self, context)
  }

  func fail(_ error: any Error, of work: BoundWork) {
    guard !hasEnded else { return }
    switch owner {
    case .interactor(let interactor): interactor.takeUnretainedValue().didFail(error, of: work)
    case .worker(let worker): worker.takeUnretainedValue().didFail(error, of: work)
    }
  }

  /// Cancels the tasks and disposes of the subscriptions, the last bound first.
  func end() {
    guard !hasEnded else { return }
    let node = node?.takeUnretainedValue()
    hasEnded = true
    let waiting = named
    named = nil
    if !tasks.isEmpty { endTasks(of: node) }
    for (_, var work) in waiting ?? [:] { work.discardWaiting() }
    disposables.removeAll().disposeAll()
    guard !instances.isEmpty else { return }
    let made = instances
    instances = []
    withExtendedLifetime(made) {}
  }

  private func endTasks(of node: RouterNode?) {
    let ending = tasks.removeAll()
    for task in ending { task.outliveScope(of: node) }
    for task in ending.reversed() { task.cancel(.scopeEnded) }
  }
}

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
  func start(_ task: BoundTask, _ overlap: OverlapPolicy? = nil) -> TaskStart {
    guard let tree = treeForWork() else { return .inactive }
    // Once it is bound, the task keeps the inside of the tree.
    return tree._withUnsafeGuaranteedRef { tree in
      let scope = openWork()
      let context = context(tree.configuration.workContext)
      if let overlap, let key = task.origin.key, tree.canStartWork {
        return scope.admit(task, named: key, overlap, in: tree, context)
      }
      if task.start(in: tree, boundTo: scope, context) { return .started }
      report(.taskWhileInactive)
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
      report(.taskOutsideTree)
      return nil
    }
    let canStart = tree._withUnsafeGuaranteedRef { tree in
      tree.checkIsolation()
      return !tree.hasEnded
    }
    guard canStart else {
      report(.taskWhileInactive)
      return nil
    }
    return tree
  }
}
