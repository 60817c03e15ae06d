// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The interface of a worker for interactors: it can be started on a scope, and stopped.
public protocol Working: AnyObject {
  /// Starts the worker: from now until `stop()`, it runs whenever the scope is active.
  ///
  /// - Parameter interactorScope: usually the interactor that the worker serves.
  func start(_ interactorScope: any InteractorScope)

  /// Stops the worker, and releases the scope.
  func stop()

  /// Whether the worker was started and has not been stopped since, even if its scope is inactive.
  var isStarted: Bool { get }

  /// `isStarted` as a stream: the current value first, then each change. Completes when the worker is released.
  var isStartedStream: Observable<Bool> { get }
}

/// A separate part of an interactor's work, which runs while the interactor is active.
///
/// Subclass it and start its work in `didStart(_:)`. Bind that work to the worker, so that it ends when the worker
/// stops: subscriptions with `disposeOnStop(_:)`, asynchronous work with `task` and `run`. The interactor starts the
/// worker once:
///
/// ```swift
/// final class PositionWorker: Worker {
///   private let positions: Observable<Position>
///
///   init(positions: Observable<Position>) { self.positions = positions }
///
///   override func didStart(_ interactorScope: InteractorScope) {
///     super.didStart(interactorScope)
///     positions.subscribe(onNext: { position in print(position) }).disposeOnStop(self)
///   }
/// }
/// ```
///
/// A started worker is not always running. A worker is started from `start(_:)` until `stop()`, and runs while it is
/// started and its interactor is active. Workers begin before `didBecomeActive()`, in the order in which they were
/// started. They stop after `willResignActive()` and after `isActiveStream` has emitted the change, the last that began
/// first. When the interactor becomes active again, its workers run again.
///
/// The interactor holds the workers that were started on it. When it is released, its workers are stopped, and can be
/// started on another interactor.
open class Worker: TaskOwner, Working {
  /// The scope that the worker was started on. Each step reads it at most once: a weak reference takes an atomic operation.
  private weak var scope: (any InteractorScope)?
  /// The subscription to the scope, if that is a test double.
  private final var following: (any Disposable)?
  private final var startedStream: StateSubject<Bool>?
  private final var runningSince: Duration?
  @exclusivity(unchecked) private final var state = WorkerState()
  /// The error that `didFail(_:of:)` is being called with.
  private final var delivery: FailureDelivery?

  /// Whether the worker was started and has not been stopped since, even if its scope is inactive.
  public final var isStarted: Bool { state.isStarted }

  /// Whether the worker is running: it was started, and its scope is active.
  public final var isRunning: Bool { state.isRunning }

  /// Creates a worker that is not started.
  public override init() {}

  deinit {
    #if DEBUG
      lastTree?.checkRelease(of: self)
    #endif
    // A test double that it was started on may have been released without completing its stream.
    halt(on: interactor)
    startedStream?.complete()
  }

  /// `isStarted` as a stream: the current value first, then each change. Completes when the worker is released.
  public final var isStartedStream: Observable<Bool> {
    let subject = startedStream ?? StateSubject(latest: isStarted)
    startedStream = subject
    return Observable(source: subject.subscribe)
  }

  /// Starts the worker: from now until `stop()`, it runs whenever the scope is active. If the scope is active now and
  /// not resigning, the worker runs before this returns.
  ///
  /// Does nothing if the worker is already started on this scope. Refused and reported as misuse if it is started on
  /// another scope that is still alive.
  ///
  /// - Parameter interactorScope: the interactor that the worker serves. It holds the worker until the worker is
  ///   stopped.
  public final func start(_ interactorScope: any InteractorScope) {
    if isStarted {
      if scope === interactorScope { return }
      if scope != nil {
        return report(
          .error(
            .workerStarted, "\(name) can't be started: it was started on another scope.",
            advice: "Stop it there first, or make a worker for each scope."))
      }
      // A test double that was released without completing its stream.
      stop()
    }
    state.start()
    let current = state.epoch
    scope = interactorScope
    let interactor = interactorScope as? Interactor
    interactor?.add(self)
    announce()
    guard state.epoch == current else { return }
    if let interactor {
      interactor.begin(self)
    } else {
      let following = interactorScope.isActiveStream.subscribe(
        onNext: { [self] isActive in if isActive { beginInScope() } else { halt(on: nil) } },
        onCompleted: { [self] in stop() })
      if isStarted, scope === interactorScope { self.following = following } else { following.dispose() }
    }
  }

  /// Stops the worker, and releases the scope. Does nothing if the worker is not started.
  public final func stop() {
    guard isStarted else { return }
    state.stop()
    let current = state.epoch
    // Retained here, because the interactor may hold the last reference to the worker.
    withExtendedLifetime(self) {
      let interactor = interactor
      interactor?.remove(self)
      following.take()?.dispose()
      announce()
      guard state.epoch == current else { return }
      halt(on: interactor)
      if state.epoch == current || !isStarted { scope = nil }
    }
  }

  /// Called by the runtime on the tree when the worker begins to run: it was started, and its scope is active.
  ///
  /// An override may start and stop workers, attach and detach RIBs, and end the tree. It must call `super`.
  ///
  /// - Parameter interactorScope: the scope that the worker was started on.
  open func didStart(_ interactorScope: any InteractorScope) {}

  /// Called by the runtime on the tree when the worker has stopped, once for each `didStart(_:)`. Its bound work has
  /// been cancelled and its subscriptions disposed of before. An override must call `super`.
  open func didStop() {}

  /// Called by the runtime on the tree when work bound to this worker throws an error without having been cancelled.
  ///
  /// Override it to handle the error, and call `super` to pass the error on: the default calls `didFail(_:of:)` of the
  /// interactor, also if an override has stopped the worker or ended its RIB. Work that was cancelled, because the worker stopped or later work replaced it, ends without a call.
  ///
  /// - Parameters:
  ///   - error: the error that was thrown.
  ///   - work: the work that threw it: its key, if it has one, and the file and line that started it.
  override open func didFail(_ error: any Error, of work: BoundWork) {
    if let delivery {
      guard delivery.passOn() else { return }
      let next = FailureDelivery(to: delivery.interactor, in: delivery.tree, delivery.path, delivery.node)
      return next.interactor.deliver(error, of: work, next)
    }
    if let interactor { return interactor.didFail(error, of: work) }
    TreeFailure(path: TreePath([type(of: self)]), node: nil, work: work, error: error).write()
  }

  override final func deliver(_ error: any Error, of work: BoundWork, _ delivery: FailureDelivery) {
    let outer = self.delivery
    self.delivery = delivery
    didFail(error, of: work)
    self.delivery = outer
  }

  // MARK: Running

  /// The interactor, if the scope is one of this package.
  private final var interactor: Interactor? { scope as? Interactor }

  override final var isRunningInScope: Bool { isRunning }

  override final func begin(in interactor: Interactor) { begin(in: interactor, interactor) }

  override final func stopForRelease() { stop() }

  /// Begins a run in the current scope, if there is one.
  private final func beginInScope() {
    if let scope { begin(in: scope, scope as? Interactor) }
  }

  /// Begins a run, because the scope is active.
  ///
  /// - Parameters:
  ///   - scope: the scope that the worker was started on.
  ///   - interactor: the same, if it is one of this package.
  final func begin(in scope: any InteractorScope, _ interactor: Interactor?) {
    if isRunning {
      // `didStop()` may start the worker again, here or elsewhere.
      halt(on: interactor)
      guard state.isIdle, self.scope === scope else { return }
    }
    guard state.begin() else { return }
    #if DEBUG
      if let tree = interactor?.tree { lastTree = tree }
    #endif
    let current = state.epoch
    runningSince = nil
    if let node = interactor?.node, let tree = node.tree,
      tree.isObserved(.workerStarted) || tree.isObserved(.workerStopped)
    {
      runningSince = tree.now()
      tree.emit(.workerStarted, of: nil, startedIn: BoundTask.Place(of: node), .worker(type(of: self)))
      guard state.epoch == current else { return }
    }
    state.didBegin()
    didStart(scope)
  }

  /// Ends the run, because the scope is no longer active or the worker was stopped.
  ///
  /// - Parameter interactor: the interactor that the worker was started on, if it is alive.
  override final func halt(on interactor: Interactor?) {
    guard let callsDidStop = state.halt() else { return }
    let node = interactor?.node
    let tree = node?.tree
    let since = runningSince
    // Recorded now, because the RIB may be released and its tree ended when everything has stopped.
    let place = tree.flatMap { $0.isObserved(.workerStopped) ? BoundTask.Place(of: node, time: since) : nil }
    tree?.holdEvents()
    defer { tree?.releaseEvents() }
    bound.take()?.end()
    if callsDidStop { didStop() }
    if let place, let tree { tree.emit(.workerStopped, of: nil, startedIn: place, .worker(type(of: self))) }
    if state.didHalt() { beginInScope() }
  }

  private func announce() {
    if let startedStream, startedStream.latest != isStarted { startedStream.accept(isStarted) }
  }

  // MARK: Bound work

  override final var ownerNode: RouterNode? { node }

  final var node: RouterNode? { interactor?.node }

  /// The work of a worker has the tree's work context: it lives as long as the run, and does not belong to the code
  /// that started the worker.
  override final func context(_ own: BoundWork.Context) -> BoundWork.Context { own }

  /// Why asynchronous work can't be bound now; nil if it can.
  override final var taskRefusal: Misuse.Problem? {
    isRunning
      ? nil
      : .warning(
        .taskWhileInactive, "Work was not started: \(name) does not run.",
        advice: "Start work in didStart(_:) or later, and before the worker stops.")
  }

  override final var subscriptionRefusal: Misuse.Problem? {
    isRunning
      ? nil
      : .warning(
        .subscriptionWhileInactive, "A subscription was disposed of at once: \(name) does not run.",
        advice: "Subscribe in didStart(_:) or later, and before the worker stops.")
  }

  /// The worker's name in events and snapshots: its type.
  final var name: String { String(describing: type(of: self)) }

  override package final func report(_ problem: Misuse.Problem) {
    if let interactor { interactor.report(problem) } else { super.report(problem) }
  }
}
