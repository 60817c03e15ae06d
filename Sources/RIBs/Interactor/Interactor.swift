// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The scope of an interactor: whether it is active, and a stream of the changes.
public protocol InteractorScope: AnyObject {
  /// Whether the interactor is active: from just before `didBecomeActive()` until after `willResignActive()`.
  var isActive: Bool { get }

  /// `isActive` as a stream: the current value first, then each change. Completes when the interactor is released.
  var isActiveStream: Observable<Bool> { get }
}

/// The interface of an interactor for routers: the base of a RIB's `Interactable` protocol.
///
/// The runtime activates and deactivates interactors. Call these methods only in tests, and in programs that keep a
/// single RIB without a tree.
public protocol Interactable: InteractorScope {
  /// Makes the interactor active. Does nothing if it is active.
  func activate()

  /// Makes the interactor inactive, with everything below its router. Does nothing if it is inactive.
  func deactivate()
}

/// Holds the business logic of a RIB, and is active while the RIB is attached to an active parent.
///
/// Subclass it and start the RIB's work in `didBecomeActive()`. Bind that work to the scope, so that it ends when the
/// interactor resigns: subscriptions with `disposeOnDeactivate(interactor:)`, asynchronous work with `task` and `run`.
/// An interactor is confined to its tree: its code runs on the tree's actor, one thing at a time, without locks.
///
/// ```swift
/// final class TimelineInteractor: Interactor, TimelineInteractable {
///   weak var router: TimelineRouting?
///   weak var listener: TimelineListener?
///   private let timelineStream: TimelineStream
///
///   init(timelineStream: TimelineStream) { self.timelineStream = timelineStream }
///
///   override func didBecomeActive() {
///     super.didBecomeActive()
///     timelineStream.tweets
///       .subscribe(onNext: { tweets in print(tweets.count) })
///       .disposeOnDeactivate(interactor: self)
///   }
/// }
/// ```
open class Interactor: TaskOwner, Interactable {
  /// See `node`.
  private(set) final var nodeLink: Unmanaged<RouterNode>?

  /// The stream, the workers and the delivery of this interactor; created on first use.
  private final var observers: ActivationObservers?

  /// The state is in the router, if there is one: an interactor takes a word less.
  private final var state: InteractorState {
    @inline(__always) get {
      if let nodeLink { return nodeLink._withUnsafeGuaranteedRef { $0.state.interactor } }
      return observers?.state ?? InteractorState()
    }
    @inline(__always) set {
      if let nodeLink { return nodeLink._withUnsafeGuaranteedRef { $0.state.interactor = newValue } }
      openObservers().state = newValue
    }
  }

  /// Creates an inactive interactor.
  public override init() {}

  deinit {
    #if DEBUG
      lastTree?.checkRelease(of: self)
    #endif
    guard let observers else { return }
    if observers.state.isActive { resign() }
    observers.stopAll()
    observers.stream?.complete()
  }

  /// Whether this interactor is active: from just before `didBecomeActive()` until after `willResignActive()`.
  public final var isActive: Bool { state.isActive }

  /// `isActive` as a stream: the current value first, then each change. Completes when the interactor is released.
  public final var isActiveStream: Observable<Bool> {
    let observers = openObservers()
    let subject = observers.stream ?? StateSubject(latest: isActive)
    observers.stream = subject
    return Observable(source: subject.subscribe)
  }

  /// Identifies this RIB in its tree, from its attachment until it is unlinked; nil outside trees.
  ///
  /// Events and snapshots carry the same ID, so that a RIB's own messages can be matched with them.
  public final var nodeID: NodeID? { node?.nodeID }

  /// Called by the runtime when this interactor has become active: after its parent, and before its router is loaded
  /// and its children become active.
  ///
  /// An override may attach and detach children, accept on relays, start work, and end the tree. It must call `super`.
  open func didBecomeActive() {}

  /// Called by the runtime before this interactor becomes inactive: after all its children have resigned, while it is
  /// still active with all dependencies alive.
  ///
  /// It is called exactly once for each `didBecomeActive()`. Then the interactor's bound work is cancelled and its
  /// subscriptions are disposed of. An override must call `super`.
  open func willResignActive() {}

  /// Called by the runtime on the tree when work bound to this interactor throws an error without having been
  /// cancelled.
  ///
  /// **The default depends on the containers above.** If any of them has `restarts:`, this RIB fails, as with `fail(_:)`:
  /// it is restarted, or its parent decides. If none has, this RIB stays as it is, and `TreeConfiguration.onFailure`
  /// receives the error. So override it where the work of a RIB may fail, and call `super` for errors that it can't handle.
  /// An override may end its RIB or the tree first: `super` then passes the error to `onFailure`. An override that calls
  /// `super` twice passes the error on once.
  ///
  /// Work that was cancelled, because the interactor resigned or later work replaced it,
  /// ends without a call. A `CancellationError` of work that was not cancelled counts as an error.
  ///
  /// - Parameters:
  ///   - error: the error that was thrown.
  ///   - work: the work that threw it: its key, if it has one, and the file and line that started it.
  override open func didFail(_ error: any Error, of work: BoundWork) {
    let delivery = observers?.delivery
    if let delivery, !delivery.passOn() { return }
    let node = node
    if let node, node.canFail, node.isSupervised, delivery?.isCurrent != false { return node.fail(error, of: work) }
    if let delivery { return delivery.report(error, of: work) }
    let failure = TreeFailure(
      path: node?.path ?? TreePath([type(of: self)]), node: node?.nodeID, work: work, error: error)
    if let tree = node?.nearestTree { tree.report(failure) } else { failure.write() }
  }

  /// Called by the runtime on the tree when a child has failed for good, and is detached: its container restarts no
  /// children or has reached its limit, or it has no container.
  ///
  /// Override it to answer: set another route, call the listener, or do without the child. The default passes the
  /// failure on, so that this RIB fails too, once: its container restarts it, or its parent is asked. Call `super` for
  /// failures that the override does not answer.
  ///
  /// - Parameter failure: the child, its error, and how often it was restarted.
  open func childDidFail(_ failure: ChildFailure) { node?.passOn(failure) }

  /// The names of this RIB in saved trees, if its router is a plain `Router`: those of the class by default, so override it
  /// when the class is renamed. See ``SavedNames``.
  open class var savedNames: SavedNames { SavedNames() }

  /// A label that tells this RIB from others of its class, such as the ID of its model. Nil by default.
  ///
  /// It follows the name of the RIB wherever that is printed: in paths, events and misuse messages (`Chat/Room swift`), in
  /// snapshots, and in the transcripts of tests. Saved trees don't contain it. Return something constant and short, without
  /// secrets, because paths end up in logs:
  ///
  /// ```swift
  /// final class RideRowInteractor: Interactor {
  ///   let ride: String
  ///
  ///   init(ride: String) { self.ride = ride }
  ///
  ///   override var ribLabel: String? { ride }
  /// }
  /// ```
  ///
  /// Called on the tree whenever a path of this RIB or of one below it is created, also before `didBecomeActive()`, and
  /// never in a tree without observers. It must be quick and have no side effects. A RIB that has none is asked once.
  /// Control characters are escaped, and a label longer than 64 characters is cut off. An empty one counts as none.
  open var ribLabel: String? { nil }

  /// A short text about the RIB's state, shown in snapshots and renderings of the tree. Nil by default.
  ///
  /// Called on the tree when a snapshot is taken. It must be quick and have no side effects.
  open var treeSummary: String? { nil }

  /// Makes this interactor active by hand, for unit tests. In a tree, the runtime activates interactors.
  ///
  /// With a router, attached children become active too once the router is loaded. Without a tree, everything works
  /// except bound work (`task`, `run`), which is refused.
  public final func activate() {
    if let router = node {
      // Retained here, because a callback may release the router.
      return withExtendedLifetime(router) { router.activateByHand() }
    }
    guard !isActive else { return }
    state.beginActivation()
    publishActivity()
    if state.becomeActive() { didBecomeActive() }
    state.finishActivation()
  }

  /// Makes this interactor inactive by hand, with everything below its router: children first, the last attached first.
  public final func deactivate() {
    if let router = node {
      return withExtendedLifetime(router) { router.deactivateByHand() }
    }
    guard state.acceptsTasks else { return }
    resign()
  }

  // MARK: Lifecycle steps, in the order in which the runtime calls them

  /// Publishes `isActive`, unless the stream already has that value, and starts or stops the workers.
  @inline(__always)
  final func publishActivity() {
    if let observers { publishActivity(to: observers) }
  }

  private final func publishActivity(to observers: ActivationObservers) {
    let change = observers.beginChange()
    if let stream = observers.stream, stream.latest != isActive { stream.accept(isActive) }
    observers.stopEnded(on: self)
    guard observers.changes == change, state.acceptsTasks else { return }
    for worker in observers.waiting where observers.changes == change && state.acceptsTasks {
      observers.begin(worker, on: self)
    }
  }

  /// Calls `willResignActive()` if `didBecomeActive()` was called, ends all bound work, and publishes the change.
  final func resign() {
    if state.beginResigning() { willResignActive() }
    state.beginEndingWork()
    bound.take()?.end()
    observers?.end(on: self)
    state.finishResigning()
    publishActivity()
  }

  /// The router, unless it is a test double. It owns this, and removes itself from here when it is released.
  final var node: RouterNode? { nodeLink?.takeUnretainedValue() }

  /// Called when a router that has this interactor is created. The router has its state from now on.
  final func join(_ router: RouterNode) {
    nodeLink = .passUnretained(router)
    guard let observers else { return }
    router.state.interactor = observers.state
    observers.state = InteractorState()
    if isActive { router.state.becomeActive() }
  }

  /// Called when the router is released, after this has resigned.
  final func leaveRouter() { nodeLink = nil }

  override final var ownerNode: RouterNode? { node }

  override final var asInteractor: Interactor? { self }

  /// Whether a subscription can be bound now.
  override final var subscriptionRefusal: Misuse.Problem? {
    state.acceptsSubscriptions
      ? nil
      : .warning(
        .subscriptionWhileInactive, "A subscription was disposed of at once: the interactor is not active.",
        advice: "Subscribe in didBecomeActive() or later.")
  }

  /// Why asynchronous work can't be bound now; nil if it can.
  override final var taskRefusal: Misuse.Problem? { state.acceptsTasks ? nil : .taskWhileInactive }

  /// Work that is started during activation has the tree's work context: it lives as long as the activation, and does
  /// not belong to the code that attached the RIB.
  override final func context(_ own: BoundWork.Context) -> BoundWork.Context {
    state.isActivating ? own : .inherited
  }

  override final func deliver(_ error: any Error, of work: BoundWork, _ delivery: FailureDelivery) {
    let observers = openObservers()
    let outer = observers.delivery
    observers.delivery = delivery
    didFail(error, of: work)
    observers.delivery = outer
  }

  // MARK: Workers

  private func openObservers() -> ActivationObservers {
    if let observers { return observers }
    let new = ActivationObservers()
    observers = new
    return new
  }

  /// Holds a worker that was started on this interactor.
  final func add(_ worker: TaskOwner) { openObservers().add(worker) }

  /// Releases a worker that was stopped.
  final func remove(_ worker: TaskOwner) { observers?.remove(worker, on: self) }

  /// Runs a worker that was just started, if this interactor is active.
  final func begin(_ worker: TaskOwner) {
    if state.acceptsTasks { observers?.begin(worker, on: self) }
  }

  fileprivate final func notify(_ moment: TreeMoments, _ worker: TaskOwner, at index: @autoclosure () -> Int?) {
    nodeLink?._withUnsafeGuaranteedRef { $0.notify(moment, worker, at: index()) }
  }

  /// The workers that run now, in the order in which they began.
  package final var runningWorkers: [TaskOwner] { observers?.running ?? [] }
}

/// The lifecycle of an interactor, with all its transitions.
///
/// | from | `beginActivation()` | `becomeActive()` | `finishActivation()` | `beginResigning()` | `beginEndingWork()` | `finishResigning()` |
/// |---|---|---|---|---|---|---|
/// | `inactive` | `starting` | | | `resigning` | | |
/// | `starting` | | `activating` | | `resigning` | | |
/// | `activating` | | | `active` | `resigning`, call `willResignActive()` | | |
/// | `active` | | | | `resigning`, call `willResignActive()` | | |
/// | `resigning` | | | | | `endingWork` | |
/// | `endingWork` | | | | | | `inactive` |
struct InteractorState {
  private enum Phase: UInt8 {
    case inactive
    /// Active, before `didBecomeActive()`: observers and workers are notified first.
    case starting
    /// `didBecomeActive()` was called, and the activation continues: `didLoad()` may follow.
    case activating
    case active
    /// `willResignActive()` runs: still active, and subscriptions can be bound.
    case resigning
    /// Bound work ends: still active, and nothing can be bound.
    case endingWork
  }

  private var phase = Phase.inactive

  var isActive: Bool { phase != .inactive }
  var isActivating: Bool { phase == .starting || phase == .activating }
  var acceptsTasks: Bool { phase == .active || isActivating }
  var acceptsSubscriptions: Bool { acceptsTasks || phase == .resigning }

  mutating func beginActivation() { phase = .starting }

  /// - Returns: whether to call `didBecomeActive()`. False if the activation has ended, also if another one has followed.
  mutating func becomeActive() -> Bool {
    guard phase == .starting else { return false }
    phase = .activating
    return true
  }

  mutating func finishActivation() { if phase == .activating { phase = .active } }

  /// - Returns: whether to call `willResignActive()`.
  @inline(__always)
  mutating func beginResigning() -> Bool {
    defer { phase = .resigning }
    return phase == .activating || phase == .active
  }

  mutating func beginEndingWork() { phase = .endingWork }

  mutating func finishResigning() { phase = .inactive }
}

/// The stream and the workers that follow whether an interactor is active, and the delivery of an error. A separate
/// object, because few interactors have any of them.
final class ActivationObservers {
  /// The state of an interactor without a router.
  var state = InteractorState()
  var stream: StateSubject<Bool>?
  /// How many changes were published, so that one notices those that it has caused.
  private(set) var changes = 0
  /// The error that the interactor's `didFail(_:of:)` is being called with.
  var delivery: FailureDelivery?
  /// In the order in which they were started.
  @exclusivity(unchecked) private var started: [TaskOwner] = []
  /// In the order in which they began to run.
  @exclusivity(unchecked) private(set) var running: [TaskOwner] = []
  /// Workers of an activation that has ended, which have yet to stop.
  @exclusivity(unchecked) private var ended: [TaskOwner] = []

  /// The workers that are started but not running.
  var waiting: [TaskOwner] { started.filter { !$0.isRunningInScope } }

  /// Begins to publish a change.
  ///
  /// - Returns: its number.
  func beginChange() -> Int {
    changes += 1
    return changes
  }

  func add(_ worker: TaskOwner) { started.append(worker) }

  func remove(_ worker: TaskOwner, on interactor: Interactor) {
    noteStop(of: worker, on: interactor)
    if !started.isEmpty { started.removeAll { $0 === worker } }
    if !running.isEmpty { running.removeAll { $0 === worker } }
    if !ended.isEmpty { ended.removeAll { $0 === worker } }
  }

  /// Runs a worker, unless it is running or was stopped meanwhile.
  func begin(_ worker: TaskOwner, on interactor: Interactor) {
    guard !worker.isRunningInScope, started.contains(where: { $0 === worker }) else { return }
    // An observer of the activation may have started it again while it still stops: it begins when it has stopped.
    guard !running.contains(where: { $0 === worker }) else { return }
    running.append(worker)
    interactor.notify(.workerEntered, worker, at: running.count - 1)
    worker.begin(in: interactor)
  }

  /// Ends the activation: marks the running workers to be stopped by `stopEnded()`.
  func end(on interactor: Interactor) {
    if !running.isEmpty { for worker in running.reversed() { noteStop(of: worker, on: interactor) } }
    ended += running
    running = []
  }

  /// Notes that a running worker stops.
  private func noteStop(of worker: TaskOwner, on interactor: Interactor) {
    interactor.notify(.workerLeft, worker, at: running.firstIndex { $0 === worker })
  }

  /// Stops the marked workers, the last that began first. If one of them makes the interactor active again, the rest
  /// stop before any worker begins.
  func stopEnded(on interactor: Interactor) {
    while let worker = ended.popLast() { worker.halt(on: interactor) }
  }

  /// Stops all workers, because the interactor is being released.
  func stopAll() {
    while let worker = started.popLast() { worker.stopForRelease() }
  }
}
