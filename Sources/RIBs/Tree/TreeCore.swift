// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
  /// The tree's actor. Weak, because the actor usually owns the tree. Running tasks keep it alive.
  private(set) weak var actor: (any Actor)?
  /// The time since launch, on the tree's clock.
  package let now: Stopwatch
  /// The root, until it has resigned at the end of the tree.
  private var root: RouterNode?
  /// What hangs on the lifecycle, in the order in which it is called.
  @exclusivity(unchecked) var parts: [TreePart] = []
  /// The moments in which a part takes part.
  @exclusivity(unchecked) @usableFromInline var moments: TreeMoments = []
  @exclusivity(unchecked) @usableFromInline private(set) var state: TreeState
  /// The ID of the RIB that received its ID last.
  @exclusivity(unchecked) private(set) var lastID: UInt64 = 0
  /// The number of starts of bound work so far.
  @exclusivity(unchecked) private var lastWorkID: UInt64 = 0
  /// Tasks outside any scope: their scope has ended, or they wait for a RIB to become active.
  @exclusivity(unchecked) var detachedTasks = DetachedTasks()
  /// What runs after the current turn, in order.
  @exclusivity(unchecked) private var afterTurn: [() -> Void] = []
  /// Records the code that the tree runs, for `ShutdownReport.busy`.
  let activity: TreeActivity

  init(
    root: RouterNode, configuration: ConfigurationBox, events: TreeEvents, home: any Actor,
    _ activity: TreeActivity
  ) {
    self.root = root
    self.configuration = configuration
    identity = TreeIdentity(configuration.value)
    actor = home
    // The types are compared, because a failing cast takes much longer.
    let isUsual = type(of: configuration.value.clock) == SuspendingClock.self
    let now = isUsual ? Stopwatch() : Stopwatch(on: configuration.value.startWatch)
    self.now = now
    self.activity = activity
    let limit = configuration.value.turnLimit
    let recordsTurns = limit != nil || configuration.value.watchdog != nil
    let turns = recordsTurns ? TurnMonitor(limit: limit, configuration, now, activity) : nil
    // A watchdog needs no more of a call than its source location, which each call records.
    state = TreeState(measuresCalls: limit != nil)
    let executor =
      configuration.value.executors?.home
      ?? HomeExecutor(actor: home, activity, turns.map { IsolationBox($0) })
    starter = TaskStarter(on: home, executor, activity, turns)
    parts.reserveCapacity(4)
    if let saving = configuration.value.saving { add(TreeSaver(saving, of: self)) }
    add(events)
    events.follow(self)
    if let delay = configuration.value.leakDetection.delay { add(LeakDetector(delay: delay, tree: self)) }
    if let turns { add(turns) }
  }

  /// Whether events of any kind are observed.
  var isObserved: Bool { follows(.exactTimes) }

  /// Whether a part receives events of a kind.
  func isObserved(_ kind: TreeEvent.Kind) -> Bool { moments.contains(TreeMoments(kind)) }

  /// The root, until it has resigned at the end of the tree.
  var rootNode: RouterNode? { root }

  /// Whether the starts or the ends of bound work are observed.
  var observesWork: Bool { follows(.work) || configuration.value.aroundWork != nil }

  /// Called around each start of bound work.
  var aroundWork: (@Sendable (TreeEvent, () -> Void) -> Void)? { configuration.value.aroundWork }

  /// The executor of work that leaves the tree; nil for the global executor.
  var offTreeExecutor: (any TaskExecutor)? { configuration.value.executors?.offTree }

  /// Whether work can be started: not after the end of the tree, and not while its actor is being released.
  var canStartWork: Bool { !hasEnded && actor != nil }

  /// Traps in debug builds if the tree is accessed outside its actor.
  @usableFromInline
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

  // MARK: Ending

  /// Whether the tree ends or has ended.
  package var hasEnded: Bool { !state.isRunning }

  /// Makes all RIBs resign, children first. If it is called in a callback of a resigning RIB, the rest resigns later.
  func end(_ reason: TreeEnded.Reason) {
    guard !hasEnded else { return }
    for part in parts { part.treeWillEnd(reason, self) }
    // A part that saves calls code of the program, which may have ended the tree.
    guard state.end(reason) else { return }
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
    for part in parts { part.treeDidEnd(self) }
    let discarded = afterTurn
    afterTurn = []
    withExtendedLifetime(discarded) {}
    if let reason = state.reason { configuration.value.onEnd?(reason) }
    // RIBs that some of these tasks wait for can no longer become active.
    for task in detachedTasks.tasks.elements { task.cancel(.scopeEnded) }
    if state.isComplete { complete() }
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
    if state.workDidEnd() { complete() }
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

  /// Whether nothing runs in the tree, nothing outside reads its values, and all its changes are saved.
  var isIdle: Bool { state.runningWork == 0 && parts.allSatisfy(\.isIdle) }

  /// Whether the tree has bound work that runs.
  var hasRunningWork: Bool { state.runningWork > 0 }

  /// Called when the tree and all its work have ended.
  private func complete() { for part in parts { part.treeDidComplete() } }
}

/// A weak reference to a tree that can be carried to the tree's actor.
final class WeakTreeBox: TreeConfined {
  private(set) weak var tree: TreeCore?

  init(_ tree: TreeCore) { self.tree = tree }
}

extension Actor {
  /// Runs what a tree has postponed to the end of a turn.
  fileprivate func finishTurn(_ box: IsolationBox) { content(of: box, as: WeakTreeBox.self).tree?.finishTurn() }
}

#if DEBUG
  extension TreeCore: IsolationDomain {}
#endif
