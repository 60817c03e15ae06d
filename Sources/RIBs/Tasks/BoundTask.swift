// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Work that belongs to one activation of an interactor, or to one run of a worker.
///
/// While its owner is active, the owner's scope holds the task. If it still runs when the scope ends, the tree holds it
/// and waits for it during shutdown. The task is confined to the tree. Only its Swift task, and the one reference that
/// crosses to it, are known outside.
@usableFromInline
package class BoundTask: TreeConfined {
  /// The owner of the reference to a started task.
  private enum Holder {
    case none
    case scope(ScopedWork)
    case tree
  }

  /// The tree, until the work has ended. Releasing the task later, on any thread, then releases nothing of the tree.
  final private(set) var tree: TreeCore?
  final let origin: TaskOrigin
  @exclusivity(unchecked) private final var state = TaskState()
  @exclusivity(unchecked) private final var holder = Holder.none
  /// The neighbors in the holder's list.
  fileprivate final var next: BoundTask?
  fileprivate final var previous: BoundTask?
  private final var swiftTask: Handle?
  private final var id: UInt64 = 0
  /// The RIB that the work was started in, if its events are observed.
  private final var startPlace: Place?
  /// The RIB whose scope ended before the work, and when it did, or that the work waits for.
  private(set) final var keptPlace: Place?
  private final var timeLimit: TimeLimit?

  /// A RIB at one point in time. A separate object, because few tasks need it.
  final class Place {
    let path: TreePath
    let node: NodeID?
    let parent: NodeID?
    let time: Duration?

    /// - Parameter path: the path; nil for that of the router.
    init(of router: RouterNode?, at path: TreePath? = nil, time: Duration? = nil) {
      self.path = path ?? router?.path ?? TreePath()
      node = router?.nodeID
      parent = router?.parentID
      self.time = time
    }
  }

  /// The timeout of work that has one. A separate object, because few tasks need it.
  private final class TimeLimit {
    let timeout: Duration
    var timer: StartedTimer?

    init(_ timeout: Duration) { self.timeout = timeout }
  }

  /// The Swift task of bound work. It throws nothing, but a task type that can't throw costs one more allocation (Swift
  /// 6.3).
  typealias Handle = Task<Void, any Error>

  /// - Parameter path: the path of the RIB that the work initially waits for.
  init(waitingAt path: TreePath? = nil, origin: TaskOrigin) {
    self.origin = origin
    keptPlace = path.map { Place(of: nil, at: $0) }
  }

  // MARK: Overridden by subclasses

  /// Creates the Swift task, which begins only after `allowStart()`. It inherits the task-local values and the priority
  /// of the caller, unless the context says otherwise.
  func makeSwiftTask(on actor: any Actor, _ starter: TaskStarter, _ context: BoundWork.Context) -> Handle? {
    fatalError("A bound task is one of its subclasses.")
  }

  /// Lets the Swift task begin.
  func allowStart(_ starter: TaskStarter) { fatalError("A bound task is one of its subclasses.") }

  /// Releases the operation and its captures. Called on the tree when the work has ended, for any reason.
  func releaseCaptures() {}

  /// Does the work, in a Swift task that runs on the tree.
  nonisolated(nonsending) func execute() async { fatalError("A task on the tree is one of its subclasses.") }

  /// Called when the scope has ended, before the work is cancelled.
  func scopeDidEnd() {}

  /// Called before the work is cancelled.
  func willCancel(_ reason: TaskState.Cancellation) {}

  /// Called when running work was cancelled. It may continue for long, so what will not be called is released here.
  func didCancel(_ reason: TaskState.Cancellation) {}

  /// Handles an error of the work.
  ///
  /// - Parameter inScope: whether the scope lasts, so that results are delivered to it.
  /// - Returns: whether it was handled. If not, it is passed to `didFail(_:of:)`, or reported as a failure of the tree.
  func handle(_ error: any Error, inScope: Bool) -> Bool { false }

  /// Whether a cancellation before the first step ends the task at once. If false, the first step ends it.
  var endsUnbegun: Bool { true }

  // MARK: Starting

  /// Creates the Swift task of work that waits for earlier work with the same key. It is created now, so that it gets
  /// the context of the code that requested it rather than of the work that ends before it.
  ///
  /// - Returns: that context, if it is needed when the work starts, because `aroundWork` is called in it.
  final func enqueue(in tree: TreeCore, _ context: BoundWork.Context) -> CapturedContext? {
    guard let actor = tree.actor else { return nil }
    self.tree = tree
    state.queue()
    if tree.settings.aroundWork != nil { return CapturedContext(context, on: actor, tree.starter) }
    swiftTask = makeSwiftTask(on: actor, tree.starter, context)
    return nil
  }

  /// Starts the work.
  ///
  /// - Parameters:
  ///   - scope: nil for work that begins with waiting for a RIB to become active.
  ///   - captured: the context that the work was requested in, if it was queued.
  /// - Returns: whether the work was started. False while the tree's actor is being released, when nothing can start on
  ///   it.
  @discardableResult
  final func start(
    in tree: TreeCore, boundTo scope: ScopedWork?, _ context: BoundWork.Context,
    _ captured: CapturedContext? = nil
  ) -> Bool {
    guard let actor = tree.actor else { return false }
    start(on: actor, tree.starter, in: tree, boundTo: scope, context, captured)
    return true
  }

  /// Starts the work on an actor, in the tree on that actor or outside any tree.
  final func start(
    on actor: any Actor, _ starter: TaskStarter, in tree: TreeCore?, boundTo scope: ScopedWork?,
    _ context: BoundWork.Context = .inherited, _ captured: CapturedContext? = nil
  ) {
    self.tree = tree
    state.schedule()
    hold(in: scope, tree)
    if let tree { enterTree(tree, starter, context, captured) }
    // An observer may have ended the scope, or replaced this. The Swift task that queued work has finds that it has ended.
    guard !state.hasEnded else { return allowStart(starter) }
    if swiftTask == nil { swiftTask = makeSwiftTask(on: actor, starter, context) }
    allowStart(starter)
    guard let timeLimit, let settings = tree?.settings else { return }
    let box = IsolationBox(self)
    timeLimit.timer = StartedTimer(on: settings.clock, after: timeLimit.timeout, executor: settings.offTreeExecutor) {
      await actor.timeOut(box)
    }
  }

  /// The timeout. Starting the work starts its timer. If the caller cancels the work at the timeout, it sets this after the
  /// start.
  final var timeout: Duration? {
    get { timeLimit?.timeout }
    set { timeLimit = newValue.map { TimeLimit($0) } }
  }

  /// Registers the work with the tree and notifies the tree's observers. With `aroundWork`, this starts the Swift task.
  ///
  /// - Parameter starter: starts the Swift task. It is that of another tree if a workflow continues in this one.
  private final func enterTree(
    _ tree: TreeCore, _ starter: TaskStarter, _ context: BoundWork.Context = .inherited,
    _ captured: CapturedContext? = nil
  ) {
    id = tree.workDidStart()
    guard isCounted, tree.observesWork else { return }
    // A workflow that is about to wait in this tree is still in the scope of a RIB outside it, whose ID is that of another.
    let scope = scope?.tree === tree ? scope : nil
    let place = Place(of: scope?.node, at: path, time: tree.now())
    startPlace = place
    let aroundWork = tree.settings.aroundWork
    tree.notify(.workEntered, self)
    emit(.taskStarted, in: tree)
    // An observer may have ended the scope, and have released the tree with it.
    guard let aroundWork, !state.hasEnded else { return }
    start(in: tree, at: place, within: aroundWork, starter, context, captured)
  }

  /// Calls `aroundWork`, which starts the Swift task, in the context of the work.
  private final func start(
    in tree: TreeCore, at place: Place, within aroundWork: @escaping (TreeEvent, () -> Void) -> Void,
    _ starter: TaskStarter, _ context: BoundWork.Context, _ captured: CapturedContext?
  ) {
    // Work that moves to another tree has a Swift task.
    guard swiftTask == nil, let actor = tree.actor else { return }
    var calls = 0
    let start = {
      calls += 1
      // `aroundWork` may have ended the scope.
      guard calls == 1, !self.state.hasEnded else { return }
      self.swiftTask = self.makeSwiftTask(on: actor, starter, .inherited)
      self.allowStart(starter)
    }
    let event = tree.startEvent(of: work, in: place)
    let startWithin = {
      aroundWork(event, start)
      if calls != 1 {
        let times = calls == 0 ? "never" : "\(calls) times"
        tree.report(
          .error(
            .startNotCalledOnce, "\(self.origin.name) was started once, although aroundWork called start \(times).",
            advice: "Call start exactly once in TreeConfiguration.aroundWork, before it returns."),
          path: place.path, node: self.node)
      }
      if calls == 0 { start() }
    }
    if let captured {
      captured.run(startWithin)
    } else if context.isInherited {
      startWithin()
    } else {
      CapturedContext(context, on: actor, starter).run(startWithin)
    }
  }

  /// Moves the work to another tree, or outside any. For the old tree it has ended.
  final func changeTree(to new: TreeCore?) {
    let (old, oldID, oldWork, oldPlace) = (tree, id, work, startPlace)
    tree = new
    old?.notify(.workFinished, self)
    startPlace = nil
    id = 0
    if let old, oldID != 0 {
      if let oldPlace { old.emit(.taskEnded, of: oldWork, startedIn: oldPlace, nil) }
      old.workDidEnd(isCounted: true)
    }
    guard let new, !state.hasEnded, tree === new else { return }
    // Behind the work that observers of the old tree have started in the new scope, because it is noted after it.
    if old != nil, case .scope(let scope) = holder {
      scope.tasks.remove(self)
      scope.tasks.append(self)
    }
    enterTree(new, new.starter)
  }

  /// Begins the work. Called right before the first step.
  ///
  /// - Returns: whether to take the step. False if the work was cancelled before.
  final func begin() -> Bool { state.begin() }

  private final func hold(in scope: ScopedWork?, _ tree: TreeCore?) {
    if let scope {
      holder = .scope(scope)
      scope.tasks.append(self)
    } else if let tree {
      holder = .tree
      tree.tasks.detached.append(self)
    }
  }

  // MARK: Scope and tree

  /// The scope, until it ends.
  @usableFromInline package final var scope: ScopedWork? { if case .scope(let scope) = holder { scope } else { nil } }

  /// The RIB, until its scope ends.
  final var node: RouterNode? { scope?.node }

  final var hasEnded: Bool { state.hasEnded }

  final var isQueued: Bool { state.isQueued }

  final var isCancelled: Bool { state.cancellation != nil }

  /// Whether code outside the tree waits for the end of the work.
  var isAwaited: Bool { false }

  /// Whether the tree counts the work. False for work that began after the tree had ended.
  package final var isCounted: Bool { id != 0 }

  /// The identity of the work.
  package final var work: BoundWork { BoundWork(id: BoundWork.ID(id), origin: origin) }

  /// The path of the RIB that the work belongs to, or belonged to when its scope ended.
  final var path: TreePath {
    if let keptPlace { return keptPlace.path }
    return node?.path ?? startPlace?.path ?? TreePath()
  }

  /// Whether the calling code runs in this work.
  ///
  /// - Parameter caller: the Swift task of that code, if there is one.
  final func isCaller(_ caller: Int?) -> Bool { caller != nil && swiftTask?.hashValue == caller }

  /// Makes the tree hold the task until it has ended, because its scope ends first.
  final func moveToTree(from node: RouterNode?) {
    change(to: nil, keeping: Place(of: node, time: tree?.now()))
    scopeDidEnd()
  }

  /// Moves the work to another scope. If that scope is in another tree or in none, observers are notified, and they may
  /// end the scope.
  final func move(to new: ScopedWork) {
    guard new !== scope else { return }
    change(to: new, keeping: nil)
    if new.tree !== tree { changeTree(to: new.tree) } else { tree?.notify(.workEntered, self) }
  }

  /// Takes the work out of its scope while it waits for a RIB to become active. The tree holds it meanwhile.
  final func leaveScope(waitingAt path: TreePath) { change(to: nil, keeping: Place(of: nil, at: path)) }

  /// - Parameters:
  ///   - scope: nil for none. Then the tree holds the task.
  ///   - place: the RIB that the task belonged to, or waits for.
  private final func change(to scope: ScopedWork?, keeping place: Place?) {
    tree?.notify(.workLeft, self)
    leaveHolder()
    keptPlace = place
    hold(in: scope, tree)
  }

  private final func leaveHolder() {
    switch holder {
    case .none: break
    case .scope(let scope): scope.tasks.remove(self)
    case .tree: tree?.tasks.detached.remove(self)
    }
    holder = .none
  }

  // MARK: Ending

  /// Cancels the work. Work that has not begun ends now, and never begins.
  final func cancel(_ reason: TaskState.Cancellation) {
    willCancel(reason)
    switch state.cancel(reason, endsUnbegun: endsUnbegun) {
    case .end:
      if state.isQueued { discardQueued() } else { finish(throwing: nil) }
    case .cancelTask:
      tree?.notify(.workCancelled, self)
      swiftTask?.cancel()
      didCancel(reason)
    case .nothing:
      break
    }
  }

  /// Cancels the Swift task of work that itself determines how it ends.
  final func cancelSwiftTask() { swiftTask?.cancel() }

  /// Discards queued work. Its Swift task resumes and finds that it has ended.
  private final func discardQueued() {
    _ = state.end(throwing: nil)
    swiftTask?.cancel()
    swiftTask = nil
    if let tree { allowStart(tree.starter) }
    tree?.notify(.workFinished, self)
    tree = nil
    releaseCaptures()
  }

  /// Runs code that delivers the result of work off the tree, as a turn of the tree.
  final func inTurn(_ body: () -> Void) {
    guard let tree else { return body() }
    tree.activity.enter(.result, origin.fileID, origin.line)
    defer { tree.activity.leave() }
    guard let turns = tree.turns else { return body() }
    turns.measure(origin, at: path, body)
  }

  /// Ends the work: its holder releases it, its result is delivered or its error reported, and then the next queued
  /// work with its key starts.
  ///
  /// - Parameters:
  ///   - error: the error that the work threw.
  ///   - deliver: delivers the result, if there is one. Delivery is part of the work, as it is for work on the tree, so
  ///     the end event follows it.
  final func finish(throwing error: (any Error)?, _ deliver: () -> Void = {}) {
    guard let outcome = state.end(throwing: error) else { return }
    if case .cancelled = outcome { swiftTask?.cancel() }
    swiftTask = nil
    timeLimit?.timer?.cancel()
    tree?.notify(.workFinished, self)
    let (scope, tree) = (scope, tree)
    // Delivering the result may end the scope, and with it the RIB that the events are about.
    if let tree, tree.observesWork {
      if startPlace == nil { startPlace = Place(of: node, time: nil) }
      tree.notify(.workLeft, self)
    }
    leaveHolder()
    switch outcome {
    case .success:
      deliver()
      if let tree { emit(.taskEnded, in: tree) }
    case .failure(let error):
      fail(error, in: scope, tree)
    case .timedOut:
      fail(BoundWork.TimedOut(timeout: timeout ?? .zero), in: scope, tree)
    case .cancelled(let error):
      if let tree { emit(.taskEnded, in: tree, .cancelled(error is CancellationError ? nil : error)) }
    }
    self.tree = nil
    releaseCaptures()
    if let tree, let scope, let key = origin.key { scope.didEnd(self, named: key, in: tree) }
    // The tree is notified last: its events end with the last of its work.
    tree?.workDidEnd(isCounted: isCounted)
  }

  private final func fail(_ error: any Error, in scope: ScopedWork?, _ tree: TreeCore?) {
    if let tree { emit(.taskFailed, in: tree, .failure(error)) }
    // An observer of the event may have ended the scope, or replaced this.
    if let scope, !scope.hasEnded, !scope.hasReplaced(self) {
      if !handle(error, inScope: true) { scope.fail(error, of: work) }
      return
    }
    if !handle(error, inScope: false) { report(error, in: tree) }
  }

  /// Reports an error that neither a caller nor an interactor handles.
  final func report(_ error: any Error, in tree: TreeCore?) {
    let place = keptPlace ?? startPlace
    let failure = TreeFailure(path: place?.path ?? TreePath(), node: place?.node, work: work, error: error)
    if let tree { tree.report(failure) } else { failure.write() }
  }

  private final func emit(_ kind: TreeEvent.Kind, in tree: TreeCore, _ detail: TreeEvent.Detail? = nil) {
    if isCounted, let startPlace { tree.emit(kind, of: work, startedIn: startPlace, detail) }
  }
}

/// Bound tasks in insertion order. An intrusive doubly linked list, so insertion and removal allocate nothing. Neighbors
/// refer to each other until they are removed.
struct TaskList: ~Copyable {
  private var first: BoundTask?
  private var last: BoundTask?

  deinit { for task in all { (task.next, task.previous) = (nil, nil) } }

  var isEmpty: Bool { first == nil }

  /// All tasks in insertion order, for code that does not change the list.
  var all: UnfoldSequence<BoundTask, BoundTask?> {
    sequence(state: first) { next in
      defer { next = next?.next }
      return next
    }
  }

  /// All tasks in insertion order.
  var elements: [BoundTask] { Array(all) }

  mutating func append(_ task: BoundTask) {
    task.previous = last
    if let last { last.next = task } else { first = task }
    last = task
  }

  /// Removes a task that is in this list. The caller holds a reference to it.
  mutating func remove(_ task: BoundTask) {
    let next = task.next
    let previous = task.previous
    if let previous { previous.next = next } else { first = next }
    if let next { next.previous = previous } else { last = previous }
    task.next = nil
    task.previous = nil
  }
}

extension Actor {
  /// Runs a task of the tree on this actor.
  ///
  /// Opening the box uses the isolation before the operation is called: otherwise the compiler omits the hop to this
  /// actor (Swift 6.3).
  func execute(_ box: IsolationBox) async {
    await content(of: box, as: BoundTask.self).execute()
  }

  /// Cancels bound work at the request of code outside the tree.
  func cancel(_ box: IsolationBox) { content(of: box, as: BoundTask.self).cancel(.requested) }

  /// Cancels bound work at its timeout.
  func timeOut(_ box: IsolationBox) { content(of: box, as: BoundTask.self).cancel(.timedOut) }

  /// Ends a task of the tree on this actor without a result.
  func end(_ box: IsolationBox, with error: any Error) {
    let task = content(of: box, as: BoundTask.self)
    task.inTurn { task.finish(throwing: error) }
  }
}
