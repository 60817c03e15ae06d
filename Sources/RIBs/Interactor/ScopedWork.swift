/// What is bound to one activation of an interactor: subscriptions and running tasks.
final class ScopedWork {
  /// Valid until `end()`: the interactor lets go of this object before it goes itself.
  private unowned let interactor: Interactor
  private var disposables = DisposableList()
  private(set) var tasks: [BoundTask] = []
  private(set) var hasEnded = false

  init(interactor: Interactor) { self.interactor = interactor }

  /// The router of the interactor, while there is one.
  var node: RouterNode? { interactor.node?.takeUnretainedValue() }

  /// How many subscriptions are live.
  var subscriptionCount: Int { disposables.count }

  func add(_ disposable: any Disposable) { disposables.append(disposable) }

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

  func fail(_ error: any Error) { interactor.didFail(error) }

  /// Cancels the tasks and disposes of the subscriptions, the last bound first.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    let ending = tasks
    tasks = []
    if !ending.isEmpty {
      let path = node?.path ?? TreePath()
      for task in ending { task.outlive(at: path) }
      for task in ending.reversed() { task.cancel() }
    }
    disposables.disposeAll()
  }
}
