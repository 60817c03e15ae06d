/// How a tree is run.
public struct TreeConfiguration: Sendable {
  /// Tells ages, durations and deadlines; unless another is given, without the time in which the machine sleeps. A test
  /// hands in a clock of its own.
  public var clock: any Clock<Duration> { didSet { startWatch = watch(on: clock) } }

  /// Lends its threads to the tree, and to the actors that the tree's work calls; nil for the global executor. A tree on
  /// the main actor, or on an actor that has an executor of its own, runs there.
  ///
  /// For a server, which makes a ``TreeExecutor`` for each core, or has event loops. The tasks that call a tree should
  /// prefer the same executor, for whoever calls a tree that is idle runs it, as with any actor, and what is waiting then
  /// goes on there. Everything of the tree then stays on one core. The operations of `run` go to the global executor all
  /// the same, since they may take long. See <doc:Isolation>.
  public var executor: (any TaskExecutor)?

  /// Called with each event of the tree, on the tree, as it happens; events are made only if somebody asks for them.
  public var onEvent: (@Sendable (TreeEvent) -> Void)?

  /// The kinds of events that `onEvent` is called with; all if nil. Those that nobody asks for are not made, which saves
  /// what they cost: a server that counts active RIBs asks for `activated` and `resigned` only.
  public var eventKinds: Set<TreeEvent.Kind>?

  /// Whether and when the tree looks for RIBs that stay alive after they have left it.
  public var leakDetection: LeakDetection

  /// Called on the tree's actor when something stayed alive; it may come after the tree has ended. Without a handler it is
  /// written to standard error.
  public var onLeak: (@Sendable (Leak) -> Void)?

  /// Called on the tree's actor with each error of bound work that no interactor handled by `didFail(_:of:)`. Without a
  /// handler it is written to standard error.
  public var onFailure: (@Sendable (WorkFailure) -> Void)?

  /// The context of work that lives as long as a RIB: what an interactor starts while it becomes active, and all work of
  /// workers. It does not belong to the request that happened to attach the RIB, so by default it starts without
  /// task-local values and with a priority of its own. All other work has the context of the code that asks for it.
  public var workContext: WorkContext

  /// Called on the tree when something was refused.
  ///
  /// Without a handler, an error stops the process in debug builds, and is written to standard error in release builds;
  /// a warning is written to standard error in both. In every case the tree is as it was before.
  public var onMisuse: (@Sendable (Misuse) -> Void)?

  /// The inspector that may observe this tree; none if nil. While it doesn't observe, what happens in the tree costs the
  /// same as without it.
  public var inspector: (any TreeObserver)?

  /// Where the tree's work runs, whatever actor it is on; nil for that actor. The test kit drives it.
  @usableFromInline package var executors: DrivenExecutors?

  /// Begins to measure the time on the clock. Made where the type of the clock is known, as it is read with every event.
  @usableFromInline var startWatch: @Sendable () -> () -> Duration

  /// Creates a configuration.
  @inlinable
  public init(
    clock: any Clock<Duration> = SuspendingClock(),
    executor: (any TaskExecutor)? = nil,
    leakDetection: LeakDetection = .standard,
    inspector: (any TreeObserver)? = nil,
    eventKinds: Set<TreeEvent.Kind>? = nil,
    workContext: WorkContext = .own(),
    onEvent: (@Sendable (TreeEvent) -> Void)? = nil,
    onMisuse: (@Sendable (Misuse) -> Void)? = nil,
    onLeak: (@Sendable (Leak) -> Void)? = nil,
    onFailure: (@Sendable (WorkFailure) -> Void)? = nil
  ) {
    self.clock = clock
    startWatch = watch(on: clock)
    self.executor = executor
    self.leakDetection = leakDetection
    self.inspector = inspector
    self.eventKinds = eventKinds
    self.onLeak = onLeak
    self.onEvent = onEvent
    self.onMisuse = onMisuse
    self.onFailure = onFailure
    self.workContext = workContext
  }

  /// Calls the handler with an event, if it is of a kind that was asked for.
  func tell(_ event: TreeEvent) {
    if kindsForHandler & event.kind.bit != 0 { onEvent?(event) }
  }

  /// What stands for the kinds of events that `onEvent` is called with.
  var kindsForHandler: UInt32 {
    guard onEvent != nil else { return 0 }
    return eventKinds.map { $0.reduce(0) { $0 | $1.bit } } ?? .max
  }
}
