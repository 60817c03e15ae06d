/// The state of a launched tree, shared by its RIBs and its running tasks.
///
/// `Tree` owns it and is the only handle to it from outside. So releasing the `Tree` ends the tree even while running
/// tasks retain this object.
@usableFromInline
package final class TreeCore {
  package let configuration: ConfigurationBox
  /// The name and the labels of the tree, if it has any.
  let identity: TreeIdentity?
  /// Starts the work that runs on the tree.
  let starter: TaskStarter
  /// The executor of work that leaves the tree; nil for the global executor.
  let offTreeExecutor: (any TaskExecutor)?
  /// The tree's actor. Weak, because the actor usually owns the tree. Running tasks keep it alive.
  private(set) weak var actor: (any Actor)?
  /// The time since launch, on the tree's clock.
  package let now: Stopwatch
  /// The root, until it has resigned at the end of the tree.
  private var root: RouterNode?
  private let events: PublishRelay<TreeEvent>
  /// The subject of `events`. Read in each step of a RIB's lifecycle, to see whether there are subscribers.
  private let subscribers: Subject<TreeEvent>
  /// The bit set of the kinds of events that the configuration's handler is called with.
  private let kindsForHandler: UInt32
  /// Whether the configuration observes bound work, by its event handler or `aroundWork`.
  private let configurationObservesWork: Bool
  /// The bit set of the handler's kinds, and of the kinds that a restore or a saver follows.
  @exclusivity(unchecked) private var followedKinds: UInt32
  /// Whether a restore or a saver follows the lifecycle of the RIBs.
  @exclusivity(unchecked) private(set) var isFollowed = false
  /// The restore of the tree, during its launch, and while saved RIBs wait for the activation of a covered one.
  @exclusivity(unchecked) private(set) var restoration: Restoration?
  /// Why the tree was not restored.
  private(set) var restoreFailure: RestoreError?
  /// Saves the tree, if the configuration says so.
  @exclusivity(unchecked) private(set) var saver: TreeSaver?
  /// Whether the saver has changes to save. Read by each call of a directory.
  @exclusivity(unchecked) @usableFromInline var hasUnsavedChanges = false
  @exclusivity(unchecked) @usableFromInline package private(set) var hasEnded = false
  @exclusivity(unchecked) private var lastID: UInt64 = 0
  /// The number of starts of bound work so far.
  @exclusivity(unchecked) private var lastWorkID: UInt64 = 0
  /// The number of pieces of work, and of stopping workers, that have not ended.
  @exclusivity(unchecked) private var runningCount = 0
  /// Tasks outside any scope: their scope has ended, or they wait for a RIB to become active.
  @exclusivity(unchecked) private var detachedTasks = TaskList()
  /// The callers that wait until all work has ended.
  @exclusivity(unchecked) private var waiters: [Waiter] = []
  @exclusivity(unchecked) private var lastWaiterID: UInt64 = 0
  @exclusivity(unchecked) private var rootHasResigned = false
  /// Whether the handler is being called with an event, or the subscribers with pending ones.
  @exclusivity(unchecked) private var isDeliveringEvents = false
  /// The events that the subscribers have yet to receive; nil stands for the completion.
  @exclusivity(unchecked) private var pendingEvents = FIFO<TreeEvent?>()
  /// The subscriptions of readers outside the tree, until it ends.
  private var readers: DisposeBag?
  private var endReason = TreeEnd.shutDown
  /// What runs after the current turn, in order.
  @exclusivity(unchecked) private var afterTurn: [() -> Void] = []
  /// The inspector's handle, until the tree ends.
  private var handle: TreeHandle?
  /// Records the code that the tree runs, for `ShutdownReport.busy`.
  let activity: TreeActivity
  /// Measures the turns of the tree, if there is a limit for them.
  let turns: TurnMonitor?
  /// Whether a call needs neither to be refused nor to be measured.
  @exclusivity(unchecked) @usableFromInline private(set) var takesPlainCalls: Bool
  /// Whether each RIB that resigns is recorded: while turns are measured, while an inspector observes the tree, and while
  /// the tree ends within a time limit.
  @exclusivity(unchecked) private(set) var notesResignations: Bool
  /// Whether the tree ends within a time limit.
  private var endsInTime = false
  /// What the default handler of failures has written; nil before the first one.
  private var failureLog: FailureLog?
  /// The RIB that is asked about a failure.
  @exclusivity(unchecked) private var asked = AskedRIB.none
  /// The random numbers of the pauses before restarts.
  @exclusivity(unchecked) var random: TreeRandom
  /// Collects what events lack for a fold, while an inspector observes the tree.
  @exclusivity(unchecked) private(set) var edits: EditLog?
  /// The leak detector, if leak detection is on.
  @exclusivity(unchecked) private(set) var leaks: LeakDetector?

  /// A caller that waits until all work that outlives its scope has ended.
  private struct Waiter {
    let id: UInt64
    /// The Swift task that waits, which may itself be part of that work.
    let caller: Int?
    let signal: AsyncStream<WakeUp>.Continuation
  }

  private enum AskedRIB {
    case none
    case asked(RouterNode)
    /// It passes the failure on.
    case unanswered
  }

  init(
    root: RouterNode, configuration: ConfigurationBox, events: PublishRelay<TreeEvent>, home: any Actor,
    _ activity: TreeActivity
  ) {
    self.root = root
    self.configuration = configuration
    identity = TreeIdentity(configuration.value)
    self.events = events
    subscribers = events.subject
    kindsForHandler = configuration.value.kindsForHandler
    followedKinds = kindsForHandler
    configurationObservesWork =
      kindsForHandler & TreeEvent.Kind.bitsOfWork != 0 || configuration.value.aroundWork != nil
    actor = home
    offTreeExecutor = configuration.value.executors?.offTree
    // The types are compared, because a failing cast takes much longer.
    let isUsual = type(of: configuration.value.clock) == SuspendingClock.self
    let now = isUsual ? Stopwatch() : Stopwatch(on: configuration.value.startWatch)
    self.now = now
    self.activity = activity
    let turns = configuration.value.turnLimit.map { TurnMonitor(limit: $0, configuration, now, activity) }
    self.turns = turns
    takesPlainCalls = turns == nil
    notesResignations = turns != nil
    random = TreeRandom(seed: configuration.value.randomSeed)
    let executor =
      configuration.value.executors?.home
      ?? HomeExecutor(actor: home, base: configuration.executor, activity, turns.map { IsolationBox($0) })
    starter = TaskStarter(on: home, executor, activity, turns)
    if case .after(let delay) = configuration.value.leakDetection { leaks = LeakDetector(delay: delay, tree: self) }
    if let saving = configuration.value.saving {
      saver = TreeSaver(saving, of: self)
      followedKinds |= TreeEvent.Kind.bitsOfChildren
      isFollowed = true
    }
  }

  /// Whether events of any kind are observed.
  var isObserved: Bool { kindsForHandler != 0 || subscribers.hasSubscribers }

  /// Whether events of a kind are observed, or followed by a restore or a saver.
  func isObserved(_ kind: TreeEvent.Kind) -> Bool { followedKinds & kind.bit != 0 || subscribers.hasSubscribers }

  /// Notifies the restore and the saver of an event.
  ///
  /// - Returns: whether the event is created, because it is observed.
  @inline(never)
  func isReported(_ kind: TreeEvent.Kind, at router: RouterNode) -> Bool {
    follow(kind, of: router)
    return restoreFailure == nil && isObservedOutside(kind)
  }

  private func isObservedOutside(_ kind: TreeEvent.Kind) -> Bool {
    kindsForHandler & kind.bit != 0 || subscribers.hasSubscribers
  }

  /// Launches the root of a restored tree.
  func launch(_ root: RouterNode, restoring restoration: Restoration) {
    self.restoration = restoration
    followedKinds |= TreeEvent.Kind.bitsOfActivation
    isFollowed = true
    root.launch(in: self)
    let discarded = restoration.finishLaunch()
    endRestorationIfComplete()
    if restoration.hasChanges { saver?.request() }
    guard !hasEnded, isObservedOutside(.restored) else { return }
    emit(TreeEvent(.restored, at: root, time: now(), detail: .discarded(discarded)))
  }

  /// Stops following the tree for a restore, when no RIB is left to restore.
  func endRestorationIfComplete() {
    guard let restoration, restoration.isLaunched, !restoration.isWaiting || hasEnded else { return }
    self.restoration = nil
    followedKinds = kindsForHandler | (saver == nil ? 0 : TreeEvent.Kind.bitsOfChildren)
    isFollowed = saver != nil
  }

  /// Activates an attached child of a tree that a restore or a saver follows.
  @inline(never)
  func activateFollowed(_ child: RouterNode) {
    guard let restoration, restoration.isLaunched else { return child.activate(loading: true) }
    let discarded = restoration.activate(child)
    endRestorationIfComplete()
    guard !discarded.isEmpty, !hasEnded, isObservedOutside(.restored) else { return }
    emit(TreeEvent(.restored, at: child, time: now(), detail: .discarded(discarded)))
  }

  /// Ends the tree, because a part of it can't be restored.
  func refuseRestore(_ error: RestoreError) {
    guard restoreFailure == nil, !hasEnded else { return }
    if restoration?.isLaunched == false { restoreFailure = error }
    end(.notRestored(error))
  }

  /// The root, until it has resigned at the end of the tree.
  var rootNode: RouterNode? { root }

  /// Whether the starts or the ends of bound work are observed.
  var observesWork: Bool { configurationObservesWork || subscribers.hasSubscribers }

  /// Called around each start of bound work.
  var aroundWork: (@Sendable (TreeEvent, () -> Void) -> Void)? { configuration.value.aroundWork }

  /// Whether work can be started: not after the end of the tree, and not while its actor is being released.
  var canStartWork: Bool { !hasEnded && actor != nil }

  /// Traps in debug builds if the tree is accessed outside its actor.
  func checkIsolation() {
    #if DEBUG
      // While the actor is being released, and the tree with it, no other code can access the tree.
      if !hasEnded { actor?.preconditionIsolated("This tree is used from outside the actor it was launched on.") }
    #endif
  }

  func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  // MARK: Turns

  /// Runs code that occupies the tree, recorded and measured as a turn unless it is part of one that is measured.
  func measure<Result>(_ turn: TreeActivity.Turn, _ work: String, _ body: () -> Result) -> Result {
    activity.inside(turn) {
      guard let turns else { return body() }
      return turns.measure(work, at: pathOfTurns, body)
    }
  }

  /// Refuses a call after the end of the tree, and measures it as a turn otherwise.
  @usableFromInline
  @inline(never)
  func measureCall<Result>(_ fileID: StaticString, _ line: UInt, _ body: () throws -> Result) throws -> Result {
    guard !hasEnded else { throw absence }
    guard let turns else { return try body() }
    let origin = TaskOrigin(fileID: fileID, line: line, key: "perform")
    return try turns.measure(origin.name, at: pathOfTurns, body)
  }

  /// The path of a turn that belongs to no other RIB than the root.
  private var pathOfTurns: TreePath { (root?.path ?? TreePath()).inTree(identity) }

  /// Records each RIB that resigns from now on, because the tree ends within a time limit.
  func noteResignationsInTime() {
    endsInTime = true
    notesResignations = true
  }

  /// Records that a RIB resigns.
  @inline(never)
  func noteResignation(of router: RouterNode) {
    edits?.noteResigning(router)
    guard turns != nil || endsInTime else { return }
    let path = router.path.inTree(identity)
    activity.noteResignation(of: path)
    turns?.noteResignation(of: path)
  }

  // MARK: Ending

  /// Makes all RIBs resign, children first. If it is called in a callback of a resigning RIB, the rest resigns later.
  func end(_ reason: TreeEnd) {
    guard !hasEnded else { return }
    switch reason {
    case .shutDown, .requested:
      saver?.captureLast()
      // `savedState` and `savedChildren` are code of the program, which may have ended the tree.
      guard !hasEnded else { return }
    case .failed, .released, .refused, .notRestored: break
    }
    hasEnded = true
    endReason = reason
    takesPlainCalls = false
    measure(.end, "the end of the tree") { root?.resignAsRoot() }
  }

  /// Called when the root has resigned.
  func rootDidResign() {
    let root = root
    self.root = nil
    if isObserved(.ended), let root {
      emit(TreeEvent(kind: .ended, node: nil, parent: nil, path: root.path, time: now()))
    }
    rootHasResigned = true
    notifyInspectorOfEnd()
    readers = nil
    let discarded = afterTurn
    afterTurn = []
    withExtendedLifetime(discarded) {}
    if let failureLog { write(failureLog.lastLines()) }
    configuration.value.onEnd?(endReason)
    // RIBs that some of these tasks wait for can no longer become active.
    for task in detachedTasks.elements { task.cancel(.scopeEnded) }
    if runningCount == 0 { completeEvents() }
  }

  /// Called when the tree's owner has released it. From now on its objects are checked for leaks.
  func disown(_ root: RouterNode) {
    root.owningTrees -= 1
    // The root may belong to another tree by now.
    if root.owningTrees == 0 { leaks?.suspectAll(under: root) }
  }

  // MARK: Failures

  /// Calls `childDidFail(_:)` of the parent of a failed child.
  ///
  /// - Returns: whether its default implementation was called, which passes the failure on.
  func isUnanswered(_ failure: ChildFailure, by interactor: Interactor) -> Bool {
    guard let node = interactor.node?.takeUnretainedValue() else { return false }
    let outer = asked
    asked = .asked(node)
    interactor.childDidFail(failure)
    defer { asked = outer }
    if case .unanswered = asked { return true }
    return false
  }

  /// Records that a RIB passes a failure on.
  ///
  /// - Returns: false if it was not asked.
  func notesUnanswered(by node: RouterNode) -> Bool {
    guard case .asked(let other) = asked, other === node else { return false }
    asked = .unanswered
    return true
  }

  /// The error of a call after the end of the tree.
  @usableFromInline var absence: any Error {
    if case .failed(let failure) = endReason { TreeFailed(failure: failure) } else { TreeEnded() }
  }

  // MARK: Bound work

  /// Counts the start of work.
  ///
  /// - Returns: its ID; zero if the tree has ended, so that the work does not belong to it, as with a workflow chain
  ///   that is committed too late.
  func workDidStart() -> UInt64 {
    guard !rootHasResigned else { return 0 }
    runningCount += 1
    lastWorkID += 1
    return lastWorkID
  }

  /// Counts the end of work, after everyone else was notified of it.
  ///
  /// - Parameter isCounted: whether `workDidStart()` has counted the work.
  func workDidEnd(isCounted: Bool) {
    if !waiters.isEmpty { notifyWaiters() }
    if isCounted { releaseEvents() }
  }

  /// Delays the completion of the events until `releaseEvents()`, because a stopping worker has yet to be reported.
  func holdEvents() { runningCount += 1 }

  func releaseEvents() {
    runningCount -= 1
    if runningCount == 0, rootHasResigned { completeEvents() }
  }

  /// Holds a task that is outside any scope.
  func add(_ task: BoundTask) { detachedTasks.append(task) }

  func remove(_ task: BoundTask) { detachedTasks.remove(task) }

  /// The unfinished work of a RIB that has resigned.
  func unfinishedWork(of node: NodeID?) -> [String] {
    guard let node else { return [] }
    return detachedTasks.elements.filter { $0.detachedFrom?.node == node }.map(\.origin.name)
  }

  /// Waits until no task outlives its scope. Tasks that wait here themselves are excluded, because they can't end
  /// before the wait does.
  ///
  /// - Parameters:
  ///   - timeout: the maximum wait; if nil, until the calling task is cancelled.
  ///   - caller: the Swift task that waits, if it may be part of the tree's work.
  /// - Returns: the work that is still running although its scope has ended.
  nonisolated(nonsending) func waitForTasks(timeout: Duration?, caller: Int?) async -> ShutdownReport {
    if timeout == nil, waiters.isEmpty, detachedTasks.first(where: { !$0.isCaller(caller) }) == nil {
      return ShutdownReport(unfinishedTasks: [])
    }
    lastWaiterID += 1
    let (wakeUps, signal) = AsyncStream<WakeUp>.makeStream()
    let waiter = Waiter(id: lastWaiterID, caller: caller, signal: signal)
    waiters.append(waiter)
    notifyWaiters()
    let timer = timeout.map { [clock = configuration.value.clock] timeout in
      TreeConfiguration.WorkContext.inherited.task(on: offTreeExecutor) {
        // Cancelled when all work has ended in time.
        try? await clock.wait(for: timeout)
        signal.yield(.timedOut)
      }
    }
    while true {
      let wakeUp: WakeUp?
      if timer == nil {
        wakeUp = await wakeUps.first { _ in true }
      } else {
        // In a separate task, which is not cancelled with the calling one.
        wakeUp = await Task.detached(executorPreference: offTreeExecutor) { await wakeUps.first { _ in true } }.value
      }
      // A task whose own wait has ended counts as unfinished work again.
      guard wakeUp == .allEnded, hasUnfinishedTasks else { break }
    }
    timer?.cancel()
    let unfinished = unfinishedWork
    waiters.removeAll { $0.id == waiter.id }
    return unfinished
  }

  /// Why a waiting caller resumes.
  private enum WakeUp: Sendable { case allEnded, timedOut }

  private func notifyWaiters() {
    guard !hasUnfinishedTasks else { return }
    for waiter in waiters { waiter.signal.yield(.allEnded) }
  }

  /// Whether there are tasks outside any scope, other than those that wait for the end of the others.
  ///
  /// - Complexity: linear in the number of waiters and independent of the number of tasks, because it is evaluated
  ///   whenever a task ends.
  private var hasUnfinishedTasks: Bool {
    guard !detachedTasks.isEmpty else { return false }
    let callers = waiters.compactMap(\.caller)
    return detachedTasks.first(where: { task in !callers.contains { task.isCaller($0) } }) != nil
  }

  /// The tasks outside any scope, except those that wait for the end of the others.
  private var unfinishedTasks: [BoundTask] {
    let callers = waiters.compactMap(\.caller)
    return detachedTasks.elements.filter { task in !callers.contains { task.isCaller($0) } }
  }

  /// The work that is still running although its scope has ended.
  var unfinishedWork: ShutdownReport {
    let time = now()
    return ShutdownReport(
      unfinishedTasks: unfinishedTasks.map { task in
        let place = task.detachedFrom
        return .init(
          path: task.path.inTree(identity), node: place?.node, work: task.origin.name,
          age: place?.time.map { time - $0 })
      })
  }

  // MARK: Turns

  /// Runs a closure in a turn of its own, after the code that runs now. It is not run after the end of the tree.
  func runAfterTurn(_ action: @escaping () -> Void) {
    guard canStartWork, let actor else { return }
    afterTurn.append(action)
    guard afterTurn.count == 1 else { return }
    let box = IsolationBox(WeakTreeBox(self))
    let executor = starter.executor
    executor.gate.open { _ = Task(executorPreference: executor) { await actor.finishTurn(box) } }
  }

  func finishTurn() {
    let actions = afterTurn
    afterTurn = []
    for action in actions where !hasEnded { action() }
  }

  // MARK: Calls and readers from outside

  /// The interactor of the root, until the root has resigned; nil if it is a test double.
  var rootInteractor: Interactor? { root?.interactorCore?.takeUnretainedValue() }

  var rootPath: TreePath? { root?.path }

  /// The events of all kinds.
  var allEvents: Observable<TreeEvent> { events.asObservable() }

  /// Holds the subscription of a reader outside the tree until the tree ends.
  func add(_ reader: TreeReader) {
    let bag = readers ?? DisposeBag()
    readers = bag
    bag.insert(reader)
  }

  /// Whether nothing runs in the tree, nothing outside reads its values, and all its changes are saved.
  var isIdle: Bool { runningCount == 0 && readers?.hasLiveDisposables != true && !hasUnsavedChanges }

  /// Whether the tree has bound work that runs.
  var hasRunningWork: Bool { runningCount > 0 }

  // MARK: Inspection

  /// Notifies the inspector, if there is one, before the root becomes active.
  func notifyInspectorOfLaunch() {
    guard let inspector = configuration.value.inspector, let root, let actor else { return }
    let handle = TreeHandle(self, root: root.namingType, on: actor)
    self.handle = handle
    if let observer = inspector.treeWillLaunch(handle) { observe(observer, takingSnapshots: handle.takesSnapshots) }
  }

  private func notifyInspectorOfEnd() {
    guard let handle else { return }
    self.handle = nil
    configuration.value.inspector?.treeDidEnd(handle)
  }

  /// Whether the root has yet to resign at the end of the tree.
  var hasRoot: Bool { root != nil }

  private func snapshotWithoutSummaries(at time: Duration) -> TreeSnapshot? {
    root.map { TreeSnapshot(of: $0, at: time, identity, withSummaries: false) }
  }

  /// Takes a snapshot of the tree; nil once it has ended.
  func snapshot() -> TreeSnapshot? { root.map { TreeSnapshot(of: $0, at: now(), identity) } }

  /// Takes a snapshot with what a fold needs beside it.
  func keyframe(_ withSummaries: Bool) -> TreeKeyframe? {
    guard let root else { return nil }
    let time = now()
    return TreeKeyframe(
      snapshot: TreeSnapshot(of: root, at: time, identity, withSummaries: withSummaries), time: time,
      edits: edits?.count ?? 0,
      work: TreeKeyframe.work(below: root))
  }

  /// - Parameter takingSnapshots: whether each event carries a snapshot of the tree.
  func observe(_ observer: @escaping TreeHandle.Observer, takingSnapshots: Bool = false) {
    let edits = edits ?? EditLog(after: lastID)
    edits.observers += 1
    edits.takesSnapshots = edits.takesSnapshots || takingSnapshots
    self.edits = edits
    notesResignations = true
    let subscription = SerialDisposable()
    subscription.set(
      events.subscribe(
        onNext: { [weak self] event in
          guard !observer(event) else { return }
          subscription.dispose()
          self?.didStopObserving()
        }, onCompleted: nil))
  }

  private func didStopObserving() {
    guard let edits else { return }
    edits.observers -= 1
    guard edits.observers == 0 else { return }
    self.edits = nil
    notesResignations = turns != nil || endsInTime
  }

  // MARK: Events

  /// Calls the handler with an event, then the subscribers. The handler receives nested events immediately. The
  /// subscribers receive them after the current event, so that all of them see the same order.
  func emit(_ event: consuming TreeEvent) {
    guard identity != nil || edits != nil else { return deliver(event) }
    if let identity { event.setTree(identity) }
    if let edits { event.edits = edits.take(edits.takesSnapshots ? snapshotWithoutSummaries(at: event.time) : nil) }
    deliver(event)
  }

  private func deliver(_ event: TreeEvent) {
    // An observer may release the tree, and with it the last reference to this.
    let held = Unmanaged.passRetained(self)
    defer { held.release() }
    guard kindsForHandler & event.kind.bit != 0, let onEvent = configuration.value.onEvent else {
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

  /// Completes the events, after the pending ones.
  private func completeEvents() {
    if isDeliveringEvents { pendingEvents.append(nil) } else { events.complete() }
  }

  /// Emits an event of bound work.
  func emit(_ kind: TreeEvent.Kind, of work: BoundWork, startedIn place: BoundTask.Place, _ detail: TreeEvent.Detail?) {
    let isStart = kind == .taskStarted
    let time = isStart ? place.time ?? now() : now()
    emit(
      TreeEvent(
        kind: kind, node: place.node, parent: place.parent, path: place.path, time: time,
        duration: isStart ? nil : place.time.map { time - $0 }, work: work, detail: detail))
  }

  /// The event of the start of bound work, as observers receive it.
  func startEvent(of work: BoundWork, in place: BoundTask.Place) -> TreeEvent {
    TreeEvent(
      kind: .taskStarted, node: place.node, parent: place.parent, path: place.path.inTree(identity),
      time: place.time ?? now(), work: work)
  }

  /// Emits an event of a workflow step, at the RIB that the step works on.
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

  /// Emits an event of a RIB that fails or restarts.
  func emit(_ kind: TreeEvent.Kind, at router: RouterNode, _ work: BoundWork?, _ detail: TreeEvent.Detail) {
    if let edits, let node = router.nodeID, kind == .restarted, case .restarts(let count, _) = detail {
      edits.append(.restarted(node, count))
    }
    emit(
      TreeEvent(
        kind: kind, node: router.nodeID, parent: router.parentID, path: router.path, time: now(), work: work,
        detail: detail))
  }

  /// Reports a failure that was not handled.
  func report(_ failure: TreeFailure) {
    var failure = failure
    failure.path = failure.path.inTree(identity)
    if let onFailure = configuration.value.onFailure { return onFailure(failure) }
    let log = failureLog ?? FailureLog(of: pathOfTurns.description)
    failureLog = log
    write(log.lines(for: failure.description, endsTree: failure.outcome == .treeEnded, at: now()))
  }

  private func write(_ lines: [String]) {
    if !lines.isEmpty { writeToStandardError(lines.joined(separator: "\n") + "\n") }
  }

  /// Emits an event of a worker.
  func emit(_ kind: TreeEvent.Kind, of worker: Worker, at place: BoundTask.Place) {
    guard isObserved(kind) else { return }
    let time = now()
    emit(
      TreeEvent(
        kind: kind, node: place.node, parent: place.parent, path: place.path, time: time,
        duration: place.time.map { time - $0 }, detail: .worker(type(of: worker))))
  }

  func report(_ problem: Misuse.Problem, path: TreePath, node: RouterNode?) {
    let misuse = Misuse(problem, path: path.inTree(identity))
    // An observer of the event may release the tree, and with it the last reference to this.
    let handler = configuration.value.onMisuse ?? MisuseHandling.handler
    if isObserved(.misuse) {
      emit(
        TreeEvent(
          kind: .misuse, node: node?.nodeID, parent: node?.parentID, path: path, time: now(), detail: .misuse(misuse)))
    }
    handler(misuse)
  }
}
