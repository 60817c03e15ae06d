/// What is bound to one activation of an interactor, or to one run of a worker: subscriptions and running tasks.
@usableFromInline
final class ScopedWork {
  /// Valid until `end()`: the owner lets go of this object before it goes itself.
  unowned let owner: any WorkOwner
  // The accesses to these are not checked at run time. Whoever changes one holds what goes, so that nothing else runs
  // meanwhile.
  @exclusivity(unchecked) private var disposables = DisposableList()
  @exclusivity(unchecked) private(set) var tasks: [BoundTask] = []
  @exclusivity(unchecked) private(set) var hasEnded = false
  /// The work that was given a name, by that name.
  @exclusivity(unchecked) private var named: [String: NamedWork] = [:]
  /// What was made for this activation, once for each declaration.
  @exclusivity(unchecked) var instances: [SharedSlot] = []

  /// Work of one name, as long as there is any.
  private struct NamedWork {
    /// What has been started and not superseded, until it has ended and that has been told.
    var running: [BoundTask] = []
    var waiting = WaitingLine<BoundTask>()

    var isBusy: Bool { !waiting.isEmpty || running.contains { !$0.hasEnded } }
  }

  init(owner: any WorkOwner) { self.owner = owner }

  /// The router of the RIB, while there is one.
  var node: RouterNode? { owner.node?.takeUnretainedValue() }

  /// How many subscriptions are live.
  var subscriptionCount: Int { disposables.count }

  func add(_ disposable: any Disposable) {
    let swept = disposables.append(disposable)
    withExtendedLifetime(swept) {}
  }

  func add(_ task: BoundTask) {
    task.index = tasks.count
    tasks.append(task)
  }

  func remove(_ task: BoundTask) {
    let last = tasks.removeLast()
    guard last !== task else { return }
    last.index = task.index
    tasks[task.index] = last
  }

  /// Decides what becomes of work of a name.
  ///
  /// - Returns: the verdict. Unless that is `ignored`, `task` was called, and what it made is started or kept.
  func admit(named key: String, _ overlap: Overlap, in tree: TreeCore, _ task: () -> BoundTask) -> Admission {
    let isBusy = named[key]?.isBusy ?? false
    switch overlap {
    case .ignoreWhileRunning where isBusy:
      return .ignored
    case .enqueue where named.keys.contains(key):
      let task = task()
      named[key]?.waiting.append(task)
      return .queued
    case .cancelPrevious:
      // What waited goes when this returns, with all that it captured.
      let replaced = named.removeValue(forKey: key)
      start(task(), named: key, in: tree)
      for task in replaced?.running ?? [] { task.supersede() }
      return isBusy ? .replaced : .started
    default:
      start(task(), named: key, in: tree)
      return .started
    }
  }

  /// Work of a name has ended, and that has been told: the next that waits has its turn.
  func didEnd(_ task: BoundTask, named key: String, in tree: TreeCore) {
    guard !hasEnded, !task.isSuperseded else { return }
    named[key]?.running.removeAll { $0 === task }
    guard named[key]?.running.isEmpty == true else { return }
    if let next = named[key]?.waiting.popFirst() {
      start(next, named: key, in: tree)
    } else {
      named[key] = nil
    }
  }

  private func start(_ task: BoundTask, named key: String, in tree: TreeCore) {
    named[key, default: NamedWork()].running.append(task)
    task.start(in: tree)
  }

  func fail(_ error: any Error) { owner.didFail(error) }

  /// Cancels the tasks and disposes of the subscriptions, the last bound first.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    let ending = tasks
    tasks = []
    // What still waits for its turn is let go of last: it goes with all that it captured.
    let waiting = named
    named = [:]
    defer { withExtendedLifetime(waiting) {} }
    if !ending.isEmpty {
      let path = node?.path ?? TreePath()
      for task in ending { task.outlive(at: path) }
      for task in ending.reversed() { task.cancel() }
    }
    disposables.removeAll().disposeAll()
    let made = instances
    instances = []
    withExtendedLifetime(made) {}
  }
}
