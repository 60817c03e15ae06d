/// The inside of a launched tree: what its RIBs and its running tasks refer to.
///
/// `Tree` owns it and is the only handle from outside, so that dropping the `Tree` ends the tree also while tasks, which
/// hold this, are still on their way out.
@usableFromInline
package final class TreeCore {
  package let configuration: TreeConfiguration
  /// Starts the work that runs on the tree.
  let starter: TaskStarter
  /// Where work runs that leaves the tree; nil for the global executor.
  let offTreeExecutor: (any TaskExecutor)?
  /// The actor that the tree lives on. Not owned, because the actor usually owns the tree. Running tasks keep it alive.
  private(set) weak var actor: (any Actor)?
  /// The time on the tree's clock since launch.
  package let now: Stopwatch
  /// The root, until it has resigned for good.
  private var root: RouterNode?
  private let events: PublishRelay<TreeEvent>
  /// Who subscribes to them: looked at in each step of a RIB's life.
  private let subscribers: Subject<TreeEvent>
  /// The kinds of events that the handler of the configuration is called with.
  private let kindsForHandler: UInt32
  @exclusivity(unchecked) @usableFromInline package private(set) var hasEnded = false
  @exclusivity(unchecked) private var lastID: UInt64 = 0
  /// Counts the starts of bound work.
  @exclusivity(unchecked) private var lastWorkID: UInt64 = 0
  /// How many of these, and of workers that stop, have not ended.
  @exclusivity(unchecked) private var runningCount = 0
  /// Tasks in no scope: those whose scope has ended, and those that wait for a RIB to become active.
  @exclusivity(unchecked) private var detachedTasks = TaskList()
  /// The callers that wait for the end of all work.
  @exclusivity(unchecked) private var waiters: [Waiter] = []
  @exclusivity(unchecked) private var lastWaiterID: UInt64 = 0
  @exclusivity(unchecked) private var rootHasResigned = false
  /// Whether the handler is being called with an event, or the subscribers with those that waited for that.
  @exclusivity(unchecked) private var isDeliveringEvents = false
  /// What the subscribers have yet to be called with: events, and with nil the end of all events.
  @exclusivity(unchecked) private var pendingEvents = FIFO<TreeEvent?>()
  /// The inspector's handle, until the tree has ended.
  private var handle: TreeHandle?
  /// What looks for leaks, if that is asked for.
  @exclusivity(unchecked) private(set) var leaks: LeakDetector?

  /// Waits for the end of all work that outlives its scope.
  private struct Waiter {
    let id: UInt64
    /// The Swift task that waits, which may be a part of that work itself.
    let caller: Int?
    let signal: AsyncStream<WakeUp>.Continuation
  }

  init(root: RouterNode, configuration: TreeConfiguration, events: PublishRelay<TreeEvent>, home: any Actor) {
    self.root = root
    self.configuration = configuration
    self.events = events
    subscribers = events.subject
    kindsForHandler = configuration.kindsForHandler
    actor = home
    starter = TaskStarter(
      on: home, configuration.executors?.home ?? HomeExecutor(actor: home, base: configuration.executor))
    offTreeExecutor = configuration.executors?.away
    // Types are compared, as a cast that fails takes much longer.
    let isUsual = type(of: configuration.clock) == SuspendingClock.self
    now = isUsual ? Stopwatch() : Stopwatch(on: configuration.startWatch)
    if case .after(let delay) = configuration.leakDetection { leaks = LeakDetector(delay: delay, tree: self) }
  }

  /// Whether events of any kind are observed.
  var isObserved: Bool { kindsForHandler != 0 || subscribers.hasSubscribers }

  /// Whether events of a kind are observed.
  func isObserved(_ kind: TreeEvent.Kind) -> Bool { kindsForHandler & kind.bit != 0 || subscribers.hasSubscribers }

  /// Whether events of bound work are observed.
  var observesWork: Bool {
    kindsForHandler & TreeEvent.Kind.bitsOfWork != 0 || subscribers.hasSubscribers
  }

  /// Whether work can be started: not after the end, and not while the actor goes, whose release ends the tree.
  var canStartWork: Bool { !hasEnded && actor != nil }

  /// In debug builds, stops a program that touches the tree from outside its actor.
  func checkIsolation() {
    #if DEBUG
      // When the actor itself goes, and the tree with it, nothing else can be there.
      if !hasEnded { actor?.preconditionIsolated("This tree is used from outside the actor it was launched on.") }
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
    notifyInspectorOfEnd()
    // The RIBs that some of it waits for can't become active any more.
    for task in detachedTasks.elements { task.cancel(.scopeEnded) }
    if runningCount == 0 { completeEvents() }
  }

  /// Nobody owns the tree any more: what is left of it should go.
  func disown(_ root: RouterNode) {
    root.owningTrees -= 1
    // It may be the root of another tree by now.
    if root.owningTrees == 0 { leaks?.suspectAll(under: root) }
  }

  // MARK: Bound work

  /// Work was started.
  ///
  /// - Returns: its number; zero if the tree has ended, so that the work is none of the tree's. That is a chain of a workflow
  ///   that was committed too late.
  func workDidStart() -> UInt64 {
    guard !rootHasResigned else { return 0 }
    runningCount += 1
    lastWorkID += 1
    return lastWorkID
  }

  /// Work has ended, and all that has to be notified of that was.
  ///
  /// - Parameter isCounted: whether `workDidStart()` has counted it.
  func workDidEnd(isCounted: Bool) {
    if !waiters.isEmpty { notifyWaiters() }
    if isCounted { releaseEvents() }
  }

  /// The events do not end before `releaseEvents()`: something that has begun to stop is still to be reported.
  func holdEvents() { runningCount += 1 }

  func releaseEvents() {
    runningCount -= 1
    if runningCount == 0, rootHasResigned { completeEvents() }
  }

  /// Holds a task that is in no scope.
  func add(_ task: BoundTask) { detachedTasks.append(task) }

  func remove(_ task: BoundTask) { detachedTasks.remove(task) }

  /// The work that has not ended of a RIB that has resigned.
  func work(outliving node: NodeID?) -> [String] {
    guard let node else { return [] }
    return detachedTasks.elements.filter { $0.detachedFrom?.node == node }.map(\.origin.name)
  }

  /// Waits until no task outlives its scope. Tasks that wait for this themselves are left out: what ends its own tree can't
  /// end before that.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait at most; if nil, until the calling task is cancelled.
  ///   - caller: the Swift task that waits, if it may be a part of the tree's work.
  /// - Returns: what still runs although its scope has ended.
  nonisolated(nonsending) func waitForTasks(timeout: Duration?, caller: Int?) async -> ShutdownReport {
    lastWaiterID += 1
    let (wakeUps, signal) = AsyncStream<WakeUp>.makeStream()
    let waiter = Waiter(id: lastWaiterID, caller: caller, signal: signal)
    waiters.append(waiter)
    notifyWaiters()
    let timer = timeout.map { [clock = configuration.clock] timeout in
      WorkContext.inherited.task(on: offTreeExecutor) {
        // Cancelled when all have ended in time.
        try? await clock.sleep(for: timeout)
        signal.yield(.timedOut)
      }
    }
    while true {
      let wakeUp: WakeUp?
      if timer == nil {
        wakeUp = await wakeUps.first { _ in true }
      } else {
        // In a task of its own, which is not cancelled with the calling one.
        wakeUp = await Task.detached(executorPreference: offTreeExecutor) { await wakeUps.first { _ in true } }.value
      }
      // A task that has waited for the end of the others is work like others when its wait is over.
      guard wakeUp == .allEnded, hasUnfinishedTasks else { break }
    }
    timer?.cancel()
    let unfinished = unfinishedWork
    waiters.removeAll { $0.id == waiter.id }
    return unfinished
  }

  /// Why a caller that waits for the end of all work continues.
  private enum WakeUp: Sendable { case allEnded, timedOut }

  private func notifyWaiters() {
    guard !hasUnfinishedTasks else { return }
    for waiter in waiters { waiter.signal.yield(.allEnded) }
  }

  /// Whether any task is in no scope that does not wait for the end of the others.
  ///
  /// - Complexity: linear in the number of waiters, whatever the number of tasks: it is asked when each of them ends.
  private var hasUnfinishedTasks: Bool {
    let callers = waiters.compactMap(\.caller)
    return detachedTasks.first(where: { task in !callers.contains { task.isCaller($0) } }) != nil
  }

  /// The tasks that are in no scope, but for those that wait for the end of the others.
  private var unfinishedTasks: [BoundTask] {
    let callers = waiters.compactMap(\.caller)
    return detachedTasks.elements.filter { task in !callers.contains { task.isCaller($0) } }
  }

  /// What still runs although its scope has ended.
  var unfinishedWork: ShutdownReport {
    let time = now()
    return ShutdownReport(
      unfinishedTasks: unfinishedTasks.map { task in
        let place = task.detachedFrom
        return .init(path: task.path, node: place?.node, work: task.origin.name, age: place?.time.map { time - $0 })
      })
  }

  // MARK: Inspection

  /// Notifies the inspector, if there is one, before anything happens in the tree.
  func notifyInspectorOfLaunch() {
    guard let inspector = configuration.inspector, let root, let actor else { return }
    let handle = TreeHandle(self, root: root.namingType, on: actor)
    self.handle = handle
    if let observer = inspector.treeWillLaunch(handle) { observe(observer) }
  }

  private func notifyInspectorOfEnd() {
    guard let handle else { return }
    self.handle = nil
    configuration.inspector?.treeDidEnd(handle)
  }

  /// Whether the root has yet to resign for good.
  var hasRoot: Bool { root != nil }

  /// The tree as it stands; nil once it has ended.
  func snapshot() -> TreeSnapshot? { root.map { TreeSnapshot(of: $0, at: now()) } }

  func observe(_ observer: @escaping TreeHandle.Observer) {
    let subscription = SerialDisposable()
    subscription.set(
      events.subscribe(onNext: { event in if !observer(event) { subscription.dispose() } }, onCompleted: nil))
  }

  // MARK: Events

  /// Calls the handler with an event, then the subscribers. The handler is called with what happens inside its own call
  /// at once; the subscribers are called afterwards, so that all of them see all events in one order.
  func emit(_ event: TreeEvent) {
    // An observer may drop the tree, and with it the last reference to this.
    let held = Unmanaged.passRetained(self)
    defer { held.release() }
    guard kindsForHandler & event.kind.bit != 0, let onEvent = configuration.onEvent else {
      if isDeliveringEvents { pendingEvents.append(event) } else { events.accept(event) }
      return
    }
    if subscribers.hasSubscribers { pendingEvents.append(event) }
    let isOutermost = !isDeliveringEvents
    isDeliveringEvents = true
    onEvent(event)
    guard isOutermost else { return }
    if !pendingEvents.isEmpty { deliverPendingEvents() }
    isDeliveringEvents = false
  }

  private func deliverPendingEvents() {
    while let next = pendingEvents.popFirst() {
      if let event = next { events.accept(event) } else { events.complete() }
    }
  }

  /// Ends the events, after those that have yet to be delivered.
  private func completeEvents() {
    if isDeliveringEvents { pendingEvents.append(nil) } else { events.complete() }
  }

  /// An event of bound work.
  func emit(_ kind: TreeEvent.Kind, of work: BoundWork, startedIn place: BoundTask.Place, _ detail: TreeEvent.Detail?) {
    let isStart = kind == .taskStarted
    let time = isStart ? place.time ?? now() : now()
    emit(
      TreeEvent(
        kind: kind, node: place.node, parent: place.parent, path: place.path, time: time,
        duration: isStart ? nil : place.time.map { time - $0 }, work: work, detail: detail))
  }

  /// An event of a step of a workflow, which happens where the step works.
  func emit(
    _ kind: TreeEvent.Kind, of task: BoundTask, step: TaskOrigin, since start: Duration?, _ failure: (any Error)?
  ) {
    guard isObserved(kind) else { return }
    let time = now()
    let node = task.node?.takeUnretainedValue()
    emit(
      TreeEvent(
        kind: kind, node: node?.nodeID, parent: node?.parentID, path: task.path, time: time,
        duration: start.map { time - $0 }, work: BoundWork(id: task.work.id, origin: step),
        detail: failure.map { .failure($0) }))
  }

  /// Reports an error of bound work that no interactor handled.
  func report(_ failure: WorkFailure) { (configuration.onFailure ?? FailureHandling.standard)(failure) }

  /// An event of a worker.
  func emit(_ kind: TreeEvent.Kind, of worker: Worker, at place: BoundTask.Place) {
    guard isObserved(kind) else { return }
    let time = now()
    emit(
      TreeEvent(
        kind: kind, node: place.node, parent: place.parent, path: place.path, time: time,
        duration: place.time.map { time - $0 }, detail: .worker(type(of: worker))))
  }

  func report(_ problem: Misuse.Problem, path: TreePath, node: RouterNode?) {
    let misuse = Misuse(problem, path: path)
    // An observer of the event may drop the tree, and with it the last reference to this.
    let handler = configuration.onMisuse ?? MisuseHandling.handler
    if isObserved(.misuse) {
      emit(
        TreeEvent(
          kind: .misuse, node: node?.nodeID, parent: node?.parentID, path: path, time: now(), detail: .misuse(misuse)))
    }
    handler(misuse)
  }
}
