/// The scope of an interactor: whether it is active now, and when that changes.
public protocol InteractorScope: AnyObject {
  /// Whether the interactor is active: from just before `didBecomeActive()` until after `willResignActive()`.
  var isActive: Bool { get }

  /// `isActive` as a stream: its current value at once, then each change; ends when the interactor is released.
  var isActiveStream: Observable<Bool> { get }
}

/// What routers know of an interactor: the base of a RIB's `Interactable` protocol.
///
/// The runtime activates and deactivates interactors. Calling these by hand is for tests, and for programs that keep a
/// single RIB without a tree.
public protocol Interactable: InteractorScope {
  /// Makes the interactor active, if it is not.
  func activate()

  /// Makes the interactor inactive, if it is active, with everything below its router.
  func deactivate()
}

/// Holds the business logic of a RIB, and is active while the RIB is attached to an active parent.
///
/// Subclass it, start the RIB's work in `didBecomeActive()`, and bind that work to the scope, so that it ends when the
/// interactor resigns: subscriptions with `disposeOnDeactivate(interactor:)`, asynchronous work with `task` and `run`.
/// An interactor belongs to its tree: everything in it runs where the tree runs, one thing at a time, without locks.
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
open class Interactor: Interactable, WorkOwner {
  /// The router that this interactor is driven by, which owns it. Cleared when the router goes.
  @exclusivity(unchecked) final var node: Unmanaged<RouterNode>?

  /// What is bound to the current activation; made when something is, gone when the interactor resigns.
  @exclusivity(unchecked) final var work: ScopedWork?

  /// The stream and the workers that follow this; made when somebody asks for them.
  @exclusivity(unchecked) private final var followers: ActivationObservers?

  @exclusivity(unchecked) private final var phase = Phase.inactive

  /// Counts activations and resignations by hand, to notice that a callback made another one.
  @exclusivity(unchecked) private final var epoch: UInt32 = 0

  /// Whether `didBecomeActive()` was called and `willResignActive()` was not yet.
  @exclusivity(unchecked) private final var needsWillResign = false

  private enum Phase: UInt8 {
    case inactive
    /// Active, from the first step of the activation until `didBecomeActive()` has returned, and `didLoad()` if it follows.
    case activating
    case active
    /// Resigning: active for `willResignActive()`, and open for subscriptions until it has returned.
    case resigning
    /// Ending what is bound: still active, but nothing can be bound any more.
    case closing
  }

  /// Creates an inactive interactor.
  public init() {}

  deinit {
    if isActive { resign() }
    followers?.stopAll()
    followers?.stream?.complete()
  }

  /// Whether this interactor is active: from just before `didBecomeActive()` until after `willResignActive()`.
  public final var isActive: Bool { phase != .inactive }

  /// `isActive` as a stream: its current value at once, then each change; ends when the interactor is released.
  public final var isActiveStream: Observable<Bool> {
    let followers = openFollowers()
    let subject = followers.stream ?? Subject(latest: isActive)
    followers.stream = subject
    return Observable(source: subject.subscribe)
  }

  /// Tells this RIB from all others of its tree, from its attachment until it is unlinked; nil in no tree.
  ///
  /// It is the same that events and snapshots carry, so that what a RIB sends out can be matched with them.
  public final var nodeID: NodeID? { node?._withUnsafeGuaranteedRef { $0.nodeID } }

  /// Called by the runtime when this interactor has become active: after its parent, and before its router is loaded
  /// and its children become active.
  ///
  /// It may attach and detach children, accept on relays, start work, and end the tree. Call `super`.
  open func didBecomeActive() {}

  /// Called by the runtime before this interactor becomes inactive: after all its children have resigned, and while it
  /// is still active with all dependencies alive.
  ///
  /// It is called exactly once for each `didBecomeActive()`. Afterwards the work bound to the interactor is cancelled
  /// and its subscriptions are disposed of. Call `super`.
  open func willResignActive() {}

  /// Called by the runtime on the tree when work bound to this interactor threw an error that was not its cancellation.
  ///
  /// Override it to handle the error, and call `super` to pass it on: the default reports it to
  /// `TreeConfiguration.onFailure`. Work that was cancelled, because the interactor resigned or later work took its place,
  /// ends without a call. A `CancellationError` of work that was not cancelled is an error like others.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - work: which work threw it: its name, if it has one, and the file and line that started it.
  open func didFail(_ error: any Error, of work: BoundWork) {
    let node = node?.takeUnretainedValue()
    let failure = WorkFailure(
      path: node?.path ?? TreePath([type(of: self)]), node: node?.nodeID, work: work, error: error)
    if let tree = node?.nearestTree { tree.report(failure) } else { FailureHandling.standard(failure) }
  }

  /// A short text about the RIB's state, shown with it in snapshots and renderings of the tree. Nil by default.
  ///
  /// Called on the tree when a snapshot is taken; it must be quick and change nothing.
  open var treeSummary: String? { nil }

  /// Makes this interactor active by hand, as unit tests do. In a tree, attaching and launching do it.
  ///
  /// With a router, children that are attached become active too once the router is loaded. Without a tree everything
  /// works but bound work (`task`, `run`), which is refused.
  public final func activate() {
    if let router = node?.takeUnretainedValue() {
      // Held here, because a callback may drop the router.
      return withExtendedLifetime(router) { router.activateByHand() }
    }
    guard !isActive else { return }
    epoch &+= 1
    let current = epoch
    markActive()
    publishActivity()
    if epoch == current { becomeActive() }
    if epoch == current { finishActivation() }
  }

  /// Makes this interactor inactive by hand, with everything below its router: children first, the last attached first.
  public final func deactivate() {
    if let router = node?.takeUnretainedValue() {
      return withExtendedLifetime(router) { router.deactivateByHand() }
    }
    guard phase == .active || phase == .activating else { return }
    resign()
  }

  // MARK: Steps of the lifecycle, in the order in which the runtime takes them

  /// The first step: active.
  final func markActive() { phase = .activating }

  /// The last: what follows was not started by becoming active.
  final func finishActivation() {
    if phase == .activating { phase = .active }
  }

  /// The second: telling the stream, unless it knows, and the workers.
  @inline(__always)
  final func publishActivity() {
    if let followers { publishActivity(to: followers) }
  }

  private final func publishActivity(to followers: ActivationObservers) {
    let current = epoch
    if let stream = followers.stream, stream.latest != isActive { stream.accept(isActive) }
    followers.haltEnded()
    guard epoch == current, acceptsWork else { return }
    for worker in followers.waiting where epoch == current && acceptsWork { followers.begin(worker) }
  }

  /// The third: the callback.
  final func becomeActive() {
    needsWillResign = true
    didBecomeActive()
  }

  /// The last: the callback, if the other one ran; the end of everything bound; inactive, and said so.
  final func resign() {
    epoch &+= 1
    phase = .resigning
    if needsWillResign {
      needsWillResign = false
      willResignActive()
    }
    phase = .closing
    if let work {
      self.work = nil
      work.end()
    }
    followers?.end()
    phase = .inactive
    publishActivity()
  }

  final var owner: ScopedWork.Owner { .interactor(.passUnretained(self)) }

  /// Whether a subscription can be bound now.
  final var acceptsSubscriptions: Bool { acceptsWork || phase == .resigning }

  private final var acceptsWork: Bool { phase == .active || phase == .activating }

  /// Why asynchronous work can't be bound now.
  final var refusalOfTasks: Misuse.Problem? { acceptsWork ? nil : .taskWhileInactive }

  /// Work that is started while the interactor becomes active lives as long as that, and does not belong to the code that
  /// happened to attach the RIB.
  final func context(_ own: WorkContext) -> WorkContext { phase == .activating ? own : .inherited }

  final func report(_ problem: Misuse.Problem) {
    if let node {
      node._withUnsafeGuaranteedRef { $0.report(problem) }
    } else {
      MisuseHandling.report(problem, path: TreePath([type(of: self)]), to: nil)
    }
  }

  // MARK: Workers

  private func openFollowers() -> ActivationObservers {
    if let followers { return followers }
    let new = ActivationObservers()
    followers = new
    return new
  }

  /// Holds a worker from now on.
  final func add(_ worker: Worker) { openFollowers().add(worker) }

  /// Lets go of a worker that was stopped.
  final func remove(_ worker: Worker) { followers?.remove(worker) }

  /// Lets a worker run that was started just now.
  final func begin(_ worker: Worker) {
    if acceptsWork { followers?.begin(worker) }
  }

  /// The workers that run now, in the order in which they began.
  final var runningWorkers: [Worker] { followers?.running ?? [] }
}
