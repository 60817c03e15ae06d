/// A piece of an interactor's work that is kept apart from it: it runs while the interactor is active.
///
/// Subclass it, begin in `didStart(_:)`, and bind what is begun to the worker, so that it ends when the worker stops:
/// subscriptions with `disposeOnStop(_:)`, asynchronous work with `task` and `run`. The interactor starts it, once:
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
/// To be started and to run are two things. A worker is started from `start(_:)` until `stop()`. It runs while it is
/// started and its interactor is active: it begins before `didBecomeActive()`, in the order in which the workers were
/// started, and stops after `willResignActive()` and after `isActiveStream` has said so, the last that began first. When
/// the interactor becomes active again, so do its workers.
///
/// The interactor holds a worker that was started on it. When the interactor is released its workers are stopped, and can
/// be started on another one.
open class Worker: Working, WorkOwner {
  /// What the worker was started on. The interactor that it runs in, if that is one of this package.
  private weak var scope: (any InteractorScope)?
  private final weak var interactor: Interactor?
  /// Follows the scope if it is a test double.
  @exclusivity(unchecked) private final var following: (any Disposable)?
  /// What is bound to this run of the worker.
  @exclusivity(unchecked) final var work: ScopedWork?
  @exclusivity(unchecked) private final var startedStream: Subject<Bool>?
  @exclusivity(unchecked) private final var runningSince: Duration?
  /// Changes whenever the worker is started, begins, or stops, to notice that a callback did one of these.
  @exclusivity(unchecked) private final var epoch: UInt32 = 0
  /// Whether `didStart(_:)` was called and `didStop()` was not yet.
  @exclusivity(unchecked) private final var owesStop = false

  /// Whether the worker was started and not stopped since; also while its scope is inactive.
  @exclusivity(unchecked) public private(set) final var isStarted = false

  /// Whether the worker is at work: it was started, and its scope is active.
  @exclusivity(unchecked) public private(set) final var isRunning = false

  /// Creates a worker that is not started.
  public init() {}

  deinit {
    // The test double that it was started on went without a word.
    halt()
    startedStream?.complete()
  }

  /// `isStarted` as a stream: its current value at once, then each change; ends when the worker is released.
  public final var isStartedStream: Observable<Bool> {
    let subject = startedStream ?? Subject(latest: isStarted)
    startedStream = subject
    return Observable(source: subject.subscribe)
  }

  /// Asks for the worker to run whenever the scope is active, from now until `stop()`. If the scope is active now, the
  /// worker runs before this returns, unless the scope is just resigning.
  ///
  /// Does nothing when the worker was started on this scope before. Refused and reported when it was started on another
  /// one that is still there.
  ///
  /// - Parameter interactorScope: the interactor that the worker serves. It holds the worker until that is stopped.
  public final func start(_ interactorScope: any InteractorScope) {
    if isStarted {
      if scope === interactorScope { return }
      if scope != nil { return report(.workerStarted(name)) }
      // A test double that went without a word.
      stop()
    }
    isStarted = true
    epoch &+= 1
    let current = epoch
    scope = interactorScope
    interactor = interactorScope as? Interactor
    interactor?.add(self)
    announce()
    guard epoch == current else { return }
    if let interactor {
      interactor.begin(self)
    } else {
      let following = interactorScope.isActiveStream.subscribe(
        onNext: { [self] isActive in if isActive { begin() } else { halt() } },
        onCompleted: { [self] in stop() })
      if isStarted, scope === interactorScope { self.following = following } else { following.dispose() }
    }
  }

  /// Stops the worker, and forgets the scope. Does nothing when it is not started.
  public final func stop() {
    guard isStarted else { return }
    isStarted = false
    epoch &+= 1
    let current = epoch
    // Held here: the interactor may be the last who holds this.
    withExtendedLifetime(self) {
      interactor?.remove(self)
      following?.dispose()
      following = nil
      announce()
      guard epoch == current else { return }
      halt()
      if epoch == current || !isStarted {
        scope = nil
        interactor = nil
      }
    }
  }

  /// Called by the runtime on the tree when the worker begins: it was started, and its scope is active.
  ///
  /// It may start and stop workers, attach and detach RIBs, and end the tree. Call `super`.
  ///
  /// - Parameter interactorScope: what the worker was started on.
  open func didStart(_ interactorScope: any InteractorScope) {}

  /// Called by the runtime on the tree when the worker has stopped: once for each `didStart(_:)`, after what was bound to
  /// the worker has been cancelled and disposed of. Call `super`.
  open func didStop() {}

  /// Called on the tree when work bound to this worker threw an error, unless the worker had stopped by then.
  ///
  /// Each failure is also an event of the tree. The default tells the interactor, by its `didFail(_:)`.
  ///
  /// - Parameter error: what was thrown; never a `CancellationError`.
  open func didFail(_ error: any Error) { interactor?.didFail(error) }

  // MARK: Running

  /// The scope is active.
  final func begin() {
    // Of the activation before: it stops first.
    halt()
    guard isStarted, let scope else { return }
    isRunning = true
    epoch &+= 1
    let current = epoch
    runningSince = nil
    if let node = node?.takeUnretainedValue(), let tree = node.tree?.takeUnretainedValue(), tree.isObserved {
      runningSince = tree.now()
      tree.emit(.workerStarted, of: self, at: node, since: nil)
      guard epoch == current else { return }
    }
    owesStop = true
    didStart(scope)
  }

  /// The scope is not active any more, or the worker was stopped.
  final func halt() {
    guard isRunning else { return }
    isRunning = false
    epoch &+= 1
    let node = node?.takeUnretainedValue()
    let tree = node?.tree?.takeUnretainedValue()
    let since = runningSince
    if let work {
      self.work = nil
      work.end()
    }
    if owesStop {
      owesStop = false
      didStop()
    }
    if let node, let tree { tree.emit(.workerStopped, of: self, at: node, since: since) }
  }

  private func announce() {
    if let startedStream, startedStream.latest != isStarted { startedStream.accept(isStarted) }
  }

  // MARK: What is bound to the worker

  /// Binds a subscription.
  final func bind(_ disposable: any Disposable) {
    if isRunning {
      openWork().add(disposable)
    } else {
      disposable.dispose()
      report(.subscriptionOfStopped(name))
    }
  }

  final var owner: ScopedWork.Owner { .worker(.passUnretained(self)) }

  final var node: Unmanaged<RouterNode>? { interactor?.node }

  /// Why asynchronous work can't be bound now.
  final var refusalOfTasks: Misuse.Problem? { isRunning ? nil : .workOfStopped(name) }

  /// What the worker is called in events and snapshots: its type.
  final var name: String { String(describing: type(of: self)) }

  final func report(_ problem: Misuse.Problem) {
    if let interactor {
      interactor.report(problem)
    } else {
      MisuseHandling.report(problem, path: TreePath([type(of: self)]), to: nil)
    }
  }
}
