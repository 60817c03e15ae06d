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
    var waiting = WaitingLine<BoundTask>()

    var isBusy: Bool { !waiting.isEmpty || running.contains { !$0.hasEnded } }
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

  /// The interactor that the work is bound to itself, until the end.
  var interactor: Interactor? {
    guard !hasEnded, case .interactor(let interactor) = owner else { return nil }
    return interactor.takeUnretainedValue()
  }

  /// How many subscriptions are live.
  var subscriptionCount: Int { disposables.count }

  func add(_ disposable: any Disposable) {
    let swept = disposables.append(disposable)
    withExtendedLifetime(swept) {}
  }

  func add(_ task: BoundTask) { tasks.append(task) }

  func remove(_ task: BoundTask) { tasks.remove(task) }

  /// Decides what becomes of work of a name.
  func admit(_ task: BoundTask, named key: String, _ overlap: Overlap, in tree: TreeCore) -> Admission {
    let isBusy = named?[key]?.isBusy ?? false
    switch overlap {
    case .ignoreWhileRunning where isBusy:
      return .ignored
    case .enqueue where named?.keys.contains(key) == true:
      named?[key]?.waiting.append(task)
      return .queued
    case .cancelPrevious:
      // What waited goes when this returns, with all that it captured.
      let replaced = named?.removeValue(forKey: key)
      start(task, named: key, in: tree)
      for task in replaced?.running ?? [] { task.supersede() }
      return isBusy ? .replaced : .started
    default:
      start(task, named: key, in: tree)
      return .started
    }
  }

  /// Work of a name has ended, and that has been told: the next that waits has its turn.
  func didEnd(_ task: BoundTask, named key: String, in tree: TreeCore) {
    guard !hasEnded, !task.isSuperseded else { return }
    named?[key]?.running.removeAll { $0 === task }
    guard named?[key]?.running.isEmpty == true else { return }
    if let next = named?[key]?.waiting.popFirst() {
      start(next, named: key, in: tree)
    } else {
      named?[key] = nil
    }
  }

  private func start(_ task: BoundTask, named key: String, in tree: TreeCore) {
    if named == nil { named = [:] }
    named?[key, default: NamedWork()].running.append(task)
    task.start(in: tree, boundTo: self)
  }

  func fail(_ error: any Error) {
    guard !hasEnded else { return }
    switch owner {
    case .interactor(let interactor): interactor.takeUnretainedValue().didFail(error)
    case .worker(let worker): worker.takeUnretainedValue().didFail(error)
    }
  }

  /// Cancels the tasks and disposes of the subscriptions, the last bound first.
  func end() {
    guard !hasEnded else { return }
    let path = tasks.isEmpty ? nil : node?._withUnsafeGuaranteedRef { $0.path } ?? TreePath()
    hasEnded = true
    // What still waits for its turn is let go of last: it goes with all that it captured.
    let waiting = named
    named = nil
    defer { withExtendedLifetime(waiting) {} }
    if let path { endTasks(at: path) }
    disposables.removeAll().disposeAll()
    guard !instances.isEmpty else { return }
    let made = instances
    instances = []
    withExtendedLifetime(made) {}
  }

  private func endTasks(at path: TreePath) {
    let ending = tasks.removeAll()
    for task in ending { task.outlive(at: path) }
    for task in ending.reversed() { task.cancel() }
  }
}
