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
  /// The bit set of the kinds that the handler or an inspector receives.
  @exclusivity(unchecked) private var reportedKinds: UInt32
  /// The bit set of those kinds, and of the kinds that a restore or a saver follows.
  @exclusivity(unchecked) private var followedKinds: UInt32
  /// Whether a restore or a saver follows the lifecycle of the RIBs.
  @exclusivity(unchecked) private(set) var isFollowed = false
  /// The restore of the tree, during its launch, and while saved RIBs wait for the activation of a covered one.
  @exclusivity(unchecked) var restoration: Restoration? {
    didSet { updateFollowed() }
  }
  /// Why the tree was not restored.
  var restoreFailure: RestoreError?
  /// Saves the tree, if the configuration says so.
  @exclusivity(unchecked) private(set) var saver: TreeSaver?
  /// Whether the saver has changes to save. Read by each call of a directory.
  @exclusivity(unchecked) @usableFromInline var hasUnsavedChanges = false
  @exclusivity(unchecked) @usableFromInline private(set) var state: TreeState
  /// The ID of the RIB that received its ID last.
  @exclusivity(unchecked) private(set) var lastID: UInt64 = 0
  /// The number of starts of bound work so far.
  @exclusivity(unchecked) private var lastWorkID: UInt64 = 0
  /// Tasks outside any scope: their scope has ended, or they wait for a RIB to become active.
  @exclusivity(unchecked) var detachedTasks = DetachedTasks()
  /// Whether the handler is being called with an event, or the subscribers with pending ones.
  @exclusivity(unchecked) private var isDeliveringEvents = false
  /// The events that the subscribers have yet to receive; nil stands for the completion.
  @exclusivity(unchecked) private var pendingEvents = FIFO<TreeEvent?>()
  /// The subscriptions of readers outside the tree, until it ends.
  private var readers: DisposeBag?
  /// What runs after the current turn, in order.
  @exclusivity(unchecked) private var afterTurn: [() -> Void] = []
  /// The inspector's handle, until the tree ends.
  var handle: TreeHandle?
  /// Records the code that the tree runs, for `ShutdownReport.busy`.
  let activity: TreeActivity
  /// Measures the turns of the tree, if there is a limit for them, or records them for a watchdog.
  let turns: TurnMonitor?
  /// Why each RIB that resigns is recorded.
  @exclusivity(unchecked) var resignationNotes: ResignationNotes
  /// What the default handler of failures has written; nil before the first one.
  var failureLog: FailureLog?
  /// The RIB that is asked about a failure.
  @exclusivity(unchecked) var asked = AskedRIB.none
  /// The random numbers of the pauses before restarts.
  @exclusivity(unchecked) var random: TreeRandom
  /// Collects what events lack for a fold, while an inspector observes the tree.
  @exclusivity(unchecked) var edits: EditLog? {
    didSet { updateFollowed() }
  }
  /// The leak detector, if leak detection is on.
  @exclusivity(unchecked) private(set) var leaks: LeakDetector?

  struct ResignationNotes: OptionSet {
    let rawValue: UInt8

    /// Turns are measured.
    static let turnLimit = ResignationNotes(rawValue: 1)
    /// An inspector observes the tree.
    static let inspector = ResignationNotes(rawValue: 2)
    /// The tree ends within a time limit.
    static let timeLimit = ResignationNotes(rawValue: 4)
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
    reportedKinds = kindsForHandler
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
    let limit = configuration.value.turnLimit
    let recordsTurns = limit != nil || configuration.value.watchdog != nil
    let turns = recordsTurns ? TurnMonitor(limit: limit, configuration, now, activity) : nil
    self.turns = turns
    // A watchdog needs no more of a call than its source location, which each call records.
    state = TreeState(measuresCalls: limit != nil)
    resignationNotes = limit == nil ? [] : .turnLimit
    random = TreeRandom(seed: configuration.value.randomSeed)
    let executor =
      configuration.value.executors?.home
      ?? HomeExecutor(actor: home, activity, turns.map { IsolationBox($0) })
    starter = TaskStarter(on: home, executor, activity, turns)
    if let delay = configuration.value.leakDetection.delay { leaks = LeakDetector(delay: delay, tree: self) }
    if let saving = configuration.value.saving {
      saver = TreeSaver(saving, of: self)
      updateFollowed()
    }
  }

  /// Follows what the inspector, the restore and the saver need.
  private func updateFollowed() {
    reportedKinds = kindsForHandler | (edits == nil ? 0 : TreeEvent.Kind.allBits)
    followedKinds =
      reportedKinds | (saver == nil ? 0 : TreeEvent.Kind.bitsOfChildren)
      | (restoration == nil ? 0 : TreeEvent.Kind.bitsOfActivation)
    isFollowed = saver != nil || restoration != nil
  }

  /// Whether events of any kind are observed.
  var isObserved: Bool { reportedKinds != 0 || subscribers.hasSubscribers }

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

  /// Whether events of a kind are observed, and not only followed.
  func isObservedOutside(_ kind: TreeEvent.Kind) -> Bool {
    reportedKinds & kind.bit != 0 || subscribers.hasSubscribers
  }

  /// The root, until it has resigned at the end of the tree.
  var rootNode: RouterNode? { root }

  /// Whether the starts or the ends of bound work are observed.
  var observesWork: Bool {
    configurationObservesWork || reportedKinds & TreeEvent.Kind.bitsOfWork != 0 || subscribers.hasSubscribers
  }

  /// Called around each start of bound work.
  var aroundWork: (@Sendable (TreeEvent, () -> Void) -> Void)? { configuration.value.aroundWork }

  /// Whether work can be started: not after the end of the tree, and not while its actor is being released.
  var canStartWork: Bool { !hasEnded && actor != nil }

  /// Traps in debug builds if the tree is accessed outside its actor.
  func checkIsolation() {
    #if DEBUG
      // While the actor is being released, and the tree with it, no other code can access the tree.
      if !hasEnded {
        actor?.preconditionIsolated(
          """
          This tree is used from outside the actor it was launched on. Move work off the tree with run or inParallel, \
          with Sendable values, and enter the tree with perform.
          """)
      }
    #endif
  }

  #if DEBUG
    /// Traps if an object that was active in this tree is released outside its actor, while the tree is active.
    func checkRelease(of object: AnyObject) {
      guard !hasEnded else { return }
      actor?.preconditionIsolated(
        """
        \(type(of: object)) was released outside the actor of its tree, with all that it owns. Remove its isolated \
        deinit, and end what it owns in willResignActive() or didStop(); or release it in the tree.
        """)
    }
  #endif

  func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  // MARK: Turns

  /// Runs code that occupies the tree, recorded and measured as a turn unless it is part of one that is measured.
  func measure<Result>(_ turn: TreeActivity.Turn, _ work: String, _ body: () -> Result) -> Result {
    activity.inside(turn) {
      guard let turns else { return body() }
      return turns.measure(.other(work), at: pathOfTurns, body)
    }
  }

  /// Refuses a call after the end of the tree, and measures it as a turn otherwise.
  @usableFromInline
  @inline(never)
  func measureCall<Result>(_ fileID: StaticString, _ line: UInt, _ body: () throws -> Result) throws -> Result {
    guard !hasEnded else { throw absence }
    guard let turns else { return try body() }
    let origin = TaskOrigin(fileID: fileID, line: line, key: "perform")
    return try turns.measure(.bound(origin), at: pathOfTurns, body)
  }

  /// The path of a turn that belongs to no other RIB than the root.
  var pathOfTurns: TreePath { (root?.path ?? TreePath()).inTree(identity) }

  /// Records each RIB that resigns from now on, because the tree ends within a time limit, or is watched.
  func noteResignationsInTime() { resignationNotes.insert(.timeLimit) }

  /// Whether each RIB that resigns is recorded.
  var notesResignations: Bool { !resignationNotes.isEmpty }

  /// Records that a RIB resigns.
  @inline(never)
  func noteResignation(of router: RouterNode) {
    edits?.noteResigning(router)
    guard !resignationNotes.isDisjoint(with: [.turnLimit, .timeLimit]) else { return }
    let path = router.path.inTree(identity)
    activity.noteResignation(of: path)
    turns?.noteResignation(of: path)
  }

  // MARK: Ending

  /// Whether the tree ends or has ended.
  package var hasEnded: Bool { !state.isRunning }

  /// Makes all RIBs resign, children first. If it is called in a callback of a resigning RIB, the rest resigns later.
  func end(_ reason: TreeEnded.Reason) {
    guard !hasEnded else { return }
    switch reason {
    case .shutDown, .requested: saver?.captureLast()
    case .failed, .released, .refused, .notRestored: break
    }
    // `savedState` and `savedChildren` are code of the program, which may have ended the tree.
    guard state.end(reason) else { return }
    if configuration.value.watchdog != nil { noteResignationsInTime() }
    measure(.end, "the end of the tree") { root?.resignAsRoot() }
  }

  /// Called when the root has resigned.
  func rootDidResign() {
    let root = root
    self.root = nil
    if isObserved(.ended), let root {
      emit(TreeEvent(kind: .ended, node: nil, parent: nil, path: root.path, time: now()))
    }
    state.rootDidResign()
    notifyInspectorOfEnd()
    readers = nil
    let discarded = afterTurn
    afterTurn = []
    withExtendedLifetime(discarded) {}
    writeUnwrittenFailures()
    if let reason = state.reason { configuration.value.onEnd?(reason) }
    // RIBs that some of these tasks wait for can no longer become active.
    for task in detachedTasks.tasks.elements { task.cancel(.scopeEnded) }
    if state.isComplete { completeEvents() }
  }

  /// Called when the tree's owner has released it. From now on its objects are checked for leaks.
  func disown(_ root: RouterNode) {
    root.removeOwningTree()
    // The root may belong to another tree by now.
    if root.owningTrees == 0 { leaks?.suspectAll(under: root) }
  }

  /// The error of a call after the end of the tree.
  @usableFromInline var absence: any Error {
    if case .failed(let failure) = state.reason { failure } else { TreeEnded() }
  }

  // MARK: Bound work

  /// Counts the start of work.
  ///
  /// - Returns: its ID; zero if the tree has ended, so that the work does not belong to it, as with a workflow chain
  ///   that is committed too late.
  func workDidStart() -> UInt64 {
    guard state.workDidStart() else { return 0 }
    lastWorkID += 1
    return lastWorkID
  }

  /// Counts the end of work, after everyone else was notified of it.
  ///
  /// - Parameter isCounted: whether `workDidStart()` has counted the work.
  func workDidEnd(isCounted: Bool) {
    detachedTasks.notifyWaiters()
    if isCounted { releaseEvents() }
  }

  /// Delays the completion of the events until `releaseEvents()`, because a stopping worker has yet to be reported.
  func holdEvents() { state.hold() }

  func releaseEvents() {
    if state.workDidEnd() { completeEvents() }
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
  var isIdle: Bool { state.runningWork == 0 && readers?.hasLiveDisposables != true && !hasUnsavedChanges }

  /// Whether the tree has bound work that runs.
  var hasRunningWork: Bool { state.runningWork > 0 }

  // MARK: Events

  /// Passes an event to the inspector, then to the handler, then to the subscribers. The inspector and the handler receive
  /// nested events immediately. The subscribers receive them after the current event, so that all of them see the same
  /// order.
  func emit(_ event: consuming TreeEvent) {
    // An observer may release the tree, and with it the last reference to this.
    let held = Unmanaged.passRetained(self)
    defer { held.release() }
    if let identity { event.setTree(identity) }
    if let edits {
      event.edits = edits.take()
      if edits.takesSnapshots, let snapshot = snapshotWithoutSummaries(at: event.time) { event.setSnapshot(snapshot) }
      edits.report(event)
      if !edits.isObserved { endInspection() }
    }
    deliver(event)
  }

  private func deliver(_ event: TreeEvent) {
    guard kindsForHandler & event.kind.bit != 0, let onEvent = configuration.value.onEvent else {
      guard subscribers.hasSubscribers else { return }
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
}
