/// The inside of a launched tree: what its RIBs and its running tasks refer to.
///
/// `Tree` owns it and is the only handle from outside, so that dropping the `Tree` ends the tree also while tasks, which
/// hold this, are still on their way out.
@usableFromInline
final class TreeCore {
  let configuration: TreeConfiguration
  let executor: any TaskExecutor
  /// Where work runs that leaves the tree; nil for the global executor.
  let awayExecutor: (any TaskExecutor)?
  /// Not owned, because the actor usually owns the tree. Running tasks keep it alive.
  private unowned let home: any Actor
  /// The time on the tree's clock since launch.
  let now: Stopwatch
  /// The root, until it has resigned for good.
  private var root: RouterNode?
  private let events: PublishRelay<TreeEvent>
  /// Who subscribes to them: looked at in each step of a RIB's life.
  private let subscribers: Subject<TreeEvent>
  /// The kinds of events that the handler of the configuration is called with.
  private let kindsForHandler: UInt32
  @exclusivity(unchecked) @usableFromInline private(set) var hasEnded = false
  @exclusivity(unchecked) private var lastID: UInt64 = 0
  /// Tasks in no scope: those whose scope has gone, those that wait for a RIB to become active, and those whose result is
  /// being handed over.
  @exclusivity(unchecked) private var outliving = TaskList()
  @exclusivity(unchecked) private var waiters: Set<AsyncStream<Void>.Continuation> = []
  @exclusivity(unchecked) private var rootHasResigned = false
  /// Until the tree has ended, what an inspector looks at it by.
  private var live: (tree: LiveTree, door: TreeDoor)?
  /// What looks for leaks, if that is asked for.
  @exclusivity(unchecked) private(set) var leaks: LeakDetector?

  init(root: RouterNode, configuration: TreeConfiguration, events: PublishRelay<TreeEvent>, home: any Actor) {
    self.root = root
    self.configuration = configuration
    self.events = events
    subscribers = events.subject
    kindsForHandler = configuration.kindsForHandler
    self.home = home
    executor = configuration.executors?.home ?? HomeExecutor(actor: home, base: configuration.executor)
    awayExecutor = configuration.executors?.away
    // Types are compared, as a cast that fails takes much longer.
    let isUsual = type(of: configuration.clock) == SuspendingClock.self
    now = isUsual ? Stopwatch() : Stopwatch(on: configuration.startWatch)
    if case .after(let delay) = configuration.leakDetection { leaks = LeakDetector(delay: delay, tree: self) }
  }

  /// Where the tree runs.
  var actor: any Actor { home }

  /// Whether anybody asks for events.
  var isObserved: Bool { kindsForHandler != 0 || subscribers.hasSubscribers }

  /// Whether anybody asks for events of a kind.
  func isObserved(_ kind: TreeEvent.Kind) -> Bool { kindsForHandler & kind.bit != 0 || subscribers.hasSubscribers }

  /// In debug builds, stops a program that touches the tree from outside its actor.
  func checkIsolation() {
    #if DEBUG
      // When the actor itself goes, and the tree with it, nobody else can be there.
      if !hasEnded { home.preconditionIsolated("This tree is used from outside the actor it was launched on.") }
    #endif
  }

  func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  // MARK: The end

  /// Makes all RIBs resign, children first. Inside a callback of a RIB that is just resigning, the rest follows later.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    root?.resignAsRoot()
  }

  /// The root has resigned.
  func rootDidResign() {
    let root = root
    self.root = nil
    if isObserved(.ended), let root {
      emit(TreeEvent(kind: .ended, node: nil, parent: nil, path: root.path, time: now()))
    }
    rootHasResigned = true
    closeToInspector()
    // No RIB becomes active any more that some of it waits for.
    for task in outliving.elements { task.cancel() }
    if outliving.isEmpty { events.complete() }
  }

  /// Nobody owns the tree any more: what is left of it should go.
  func disown(_ root: RouterNode) {
    root.isOwnedByTree = false
    leaks?.suspectAll(under: root)
  }

  // MARK: Tasks without a scope

  func keep(_ task: BoundTask) {
    outliving.append(task)
  }

  func letGo(of task: BoundTask) {
    outliving.remove(task)
    guard outliving.isEmpty else { return }
    if !waiters.isEmpty {
      for waiter in waiters { waiter.finish() }
      waiters = []
    }
    if rootHasResigned { events.complete() }
  }

  /// The work that has not ended of RIBs that stood at a path when they resigned.
  func work(outliving path: TreePath) -> [String] {
    outliving.elements.filter { $0.path == path }.map(\.origin.name)
  }

  /// Waits until no task outlives its scope, at most for the given time; without one, at most until the calling task is
  /// cancelled.
  ///
  /// - Returns: what still runs although its scope is gone.
  nonisolated(nonsending) func waitForTasks(deadline: Duration?) async -> ShutdownReport {
    guard !outliving.isEmpty else { return ShutdownReport(stuck: []) }
    let (allEnded, waiter) = AsyncStream<Void>.makeStream()
    waiters.insert(waiter)
    let timer = deadline.map { [clock = configuration.clock] deadline in
      Task(away: awayExecutor) {
        // Cancelled when all have ended in time.
        try? await clock.sleep(for: deadline)
        waiter.finish()
      }
    }
    if let timer {
      // In a task of its own, which is not cancelled with the calling one.
      _ = await Task(away: awayExecutor) { for await _ in allEnded {} }.result
      timer.cancel()
      waiters.remove(waiter)
    } else {
      for await _ in allEnded {}
    }
    return unfinishedWork
  }

  /// What still runs although its scope is gone.
  var unfinishedWork: ShutdownReport {
    ShutdownReport(stuck: outliving.elements.map { .init(path: $0.path, work: $0.origin.name) })
  }

  // MARK: Being looked at

  /// Shows the tree to the inspector, if there is one, before anything happens in it.
  func openToInspector() {
    guard let inspector = configuration.inspector, let root else { return }
    let door = TreeDoor(to: self)
    let tree = LiveTree(root: root.namingType, home: home, door: door)
    live = (tree, door)
    if let observer = inspector.treeWillLaunch(tree) { observe(observer) }
  }

  private func closeToInspector() {
    guard let live else { return }
    self.live = nil
    live.door.close()
    configuration.inspector?.treeDidEnd(live.tree)
  }

  /// The tree as it stands; nil once it has ended.
  func snapshot() -> TreeSnapshot? { root.map { TreeSnapshot(of: $0, at: now()) } }

  func observe(_ observer: @escaping LiveTree.Observer) {
    let subscription = SerialDisposable()
    subscription.set(
      events.subscribe(onNext: { event in if !observer(event) { subscription.dispose() } }, onCompleted: nil))
  }

  // MARK: Events

  func emit(_ event: TreeEvent) {
    if kindsForHandler & event.kind.bit != 0 { configuration.onEvent?(event) }
    if subscribers.hasSubscribers { events.accept(event) }
  }

  /// - Parameters:
  ///   - path: where the RIB stood that it is told of.
  ///   - step: the part of the task that it is about, if it is not about all of it.
  func emit(
    _ kind: TreeEvent.Kind, of task: BoundTask, path: @autoclosure () -> TreePath, step: TaskOrigin? = nil,
    at time: Duration? = nil, since start: Duration?, failure: (any Error)? = nil
  ) {
    guard isObserved(kind) else { return }
    let time = time ?? now()
    let duration = start.map { time - $0 }
    let origin = step ?? task.origin
    let detail = failure.map { TreeEvent.Detail.failure($0) }
    let node = task.node
    let ids = node.map { $0._withUnsafeGuaranteedRef { (node: $0.nodeID, parent: $0.parentID) } }
    emit(
      TreeEvent(
        kind: kind, node: ids?.node, parent: ids?.parent, path: path(), time: time, duration: duration,
        origin: origin, detail: detail))
  }

  func emit(_ kind: TreeEvent.Kind, of worker: Worker, at node: RouterNode, since start: Duration?) {
    guard isObserved(kind) else { return }
    let time = now()
    emit(
      TreeEvent(
        kind, at: node, time: time, duration: start.map { time - $0 }, detail: .worker(type(of: worker))))
  }

  func report(_ problem: Misuse.Problem, path: TreePath, node: RouterNode?) {
    let misuse = Misuse(problem, path: path)
    if isObserved(.misuse) {
      emit(
        TreeEvent(
          kind: .misuse, node: node?.nodeID, parent: node?.parentID, path: path, time: now(), detail: .misuse(misuse)))
    }
    (configuration.onMisuse ?? MisuseHandling.handler)(misuse)
  }
}
