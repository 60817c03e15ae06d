/// What interactors know of a worker: that it can be started on a scope, and stopped.
public protocol Working: AnyObject {
  /// Asks for the worker to run whenever the scope is active, from now until `stop()`.
  ///
  /// - Parameter interactorScope: usually the interactor that the worker serves.
  func start(_ interactorScope: any InteractorScope)

  /// Stops the worker, and forgets the scope.
  func stop()

  /// Whether the worker was started and not stopped since; also while its scope is inactive.
  var isStarted: Bool { get }

  /// `isStarted` as a stream: its current value at once, then each change; ends when the worker is released.
  var isStartedStream: Observable<Bool> { get }
}

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
open class Worker: TaskOwner, Working {
  /// What the worker was started on. The interactor that it runs in, if that is one of this package.
  private weak var scope: (any InteractorScope)?
  private final weak var interactor: Interactor?
  /// Follows the scope if it is a test double.
  @exclusivity(unchecked) private final var following: (any Disposable)?
  @exclusivity(unchecked) private final var startedStream: Subject<Bool>?
  @exclusivity(unchecked) private final var runningSince: Duration?
  /// Changes whenever the worker is started, begins, or stops, to notice that a callback did one of these.
  @exclusivity(unchecked) private final var epoch: UInt32 = 0
  @exclusivity(unchecked) private final var phase = Phase.idle

  /// Where a run of the worker is.
  private enum Phase {
    /// Not running.
    case idle
    /// Running; `didStart(_:)` follows, unless an observer of the event stops the worker first.
    case beginning
    /// Running, and `didStart(_:)` was called: `didStop()` follows once.
    case running
    /// Ending what is bound to the run, with `didStop()` to follow. A run that begins meanwhile waits for that.
    case stopping(beginsAgain: Bool)
  }

  /// Whether the worker was started and not stopped since; also while its scope is inactive.
  @exclusivity(unchecked) public private(set) final var isStarted = false

  /// Whether the worker is at work: it was started, and its scope is active.
  public final var isRunning: Bool {
    switch phase {
    case .beginning, .running: true
    case .idle, .stopping: false
    }
  }

  /// Creates a worker that is not started.
  public override init() {}

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

  /// Called by the runtime on the tree when work bound to this worker threw an error that was not its cancellation.
  ///
  /// Override it to handle the error, and call `super` to pass it on: the default calls `didFail(_:of:)` of the
  /// interactor. Work that was cancelled, because the worker stopped or later work took its place, ends without a call.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - work: which work threw it: its name, if it has one, and the file and line that started it.
  override open func didFail(_ error: any Error, of work: BoundWork) {
    if let interactor { return interactor.didFail(error, of: work) }
    FailureHandling.standard(
      WorkFailure(path: TreePath([type(of: self)]), node: nil, work: work, error: error))
  }

  // MARK: Running

  /// The scope is active.
  final func begin() {
    switch phase {
    case .idle: break
    // Of the activation before: it stops first.
    case .beginning, .running: halt()
    case .stopping:
      phase = .stopping(beginsAgain: true)
      return
    }
    guard isStarted, let scope else { return }
    phase = .beginning
    epoch &+= 1
    let current = epoch
    runningSince = nil
    if let node = node?.takeUnretainedValue(), let tree = node.tree?.takeUnretainedValue(),
      tree.isObserved(.workerStarted) || tree.isObserved(.workerStopped)
    {
      runningSince = tree.now()
      tree.emit(.workerStarted, of: self, at: BoundTask.Place(of: node, time: nil))
      guard epoch == current else { return }
    }
    phase = .running
    didStart(scope)
  }

  /// The scope is not active any more, or the worker was stopped.
  final func halt() {
    let callsDidStop: Bool
    switch phase {
    case .idle: return
    case .stopping:
      phase = .stopping(beginsAgain: false)
      return
    case .beginning: callsDidStop = false
    case .running: callsDidStop = true
    }
    phase = .stopping(beginsAgain: false)
    epoch &+= 1
    let node = node?.takeUnretainedValue()
    let tree = node?.tree?.takeUnretainedValue()
    let since = runningSince
    // The RIB may be gone, and its tree have ended, when all has stopped.
    let place = tree.flatMap { $0.isObserved(.workerStopped) ? BoundTask.Place(of: node, time: since) : nil }
    tree?.holdEvents()
    defer { tree?.releaseEvents() }
    if let work {
      self.work = nil
      work.end()
    }
    if callsDidStop { didStop() }
    if let place, let tree { tree.emit(.workerStopped, of: self, at: place) }
    let beginsAgain = if case .stopping(true) = phase { true } else { false }
    phase = .idle
    if beginsAgain { begin() }
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
      report(.subscriptionWhileStopped(name))
    }
  }

  override final var ownerNode: Unmanaged<RouterNode>? { node }

  final var node: Unmanaged<RouterNode>? { interactor?.node }

  /// The work of a worker lives as long as its run, and does not belong to the code that happened to start it.
  override final func context(_ own: WorkContext) -> WorkContext { own }

  /// Why asynchronous work can't be bound now.
  override final var taskRefusal: Misuse.Problem? { isRunning ? nil : .taskWhileStopped(name) }

  /// What the worker is called in events and snapshots: its type.
  final var name: String { String(describing: type(of: self)) }

  override package final func report(_ problem: Misuse.Problem) {
    if let interactor {
      interactor.report(problem)
    } else {
      MisuseHandling.report(problem, path: TreePath([type(of: self)]), to: nil)
    }
  }
}
