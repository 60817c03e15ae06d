// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The settings of a tree.
public struct TreeConfiguration: Sendable {
  /// The context of bound work.
  public typealias WorkContext = BoundWork.Context
  /// A turn that took longer than `turnLimit`.
  public typealias SlowTurn = TurnWatchdog.SlowTurn

  /// The name of the tree, such as the ID of its user or order. Paths begin with it, so it is in events, snapshots,
  /// leaks, misuse, failures, slow turns, reports and the inspector: among 10,000 trees it says which one. None by
  /// default.
  public var name: String?

  /// More about the tree, for filters and metrics, such as its tenant or version. Snapshots and the paths of events
  /// have them.
  public var labels: [String: String]

  /// The clock for ages, durations and timeouts. By default a `SuspendingClock`, which excludes the time in which the
  /// machine sleeps. Tests set a clock of their own.
  public var clock: any Clock<Duration>

  /// The clock of the times in states: what `wallTime` of interactors and workers reads, and `sleep(until:)` waits for. By
  /// default the real-time clock of the system. Tests set a clock of their own.
  public var wallClock: WallTime.Clock

  /// Called on the tree with each event, as it happens. Events are created only if they are observed.
  public var onEvent: (@Sendable (TreeEvent) -> Void)?

  /// The kinds of events passed to `onEvent`; nil for all. Other kinds are not created, which saves their cost: a
  /// server that counts active RIBs needs `activated` and `resigned` only.
  public var eventKinds: Set<TreeEvent.Kind>?

  /// Called on the tree around each start of bound work, to set task-local values for it, such as a tracing context; nil
  /// to set none.
  ///
  /// It must call `start` exactly once, before it returns. The task-local values at that call hold in the work, whatever
  /// starts it: `task`, `run`, `attach(preparing:)`, workers, workflows, calls of a host, and pauses before restarts. See
  /// <doc:OperatingTrees>.
  ///
  /// The event is the `taskStarted` event, which observers receive first. The closure runs in the context that the work
  /// would have without it: that of the code that requested the work, or a separate one; see `workContext`. Queued work
  /// has one call, when it starts. Work of a workflow that moves to another tree keeps what it was started with.
  ///
  /// If the closure does not call `start`, the work starts anyway; if it calls it again, the second call is a no-op. Both
  /// are reported as misuse.
  public var aroundWork: (@Sendable (_ event: TreeEvent, _ start: () -> Void) -> Void)?

  /// Whether and when the tree checks for leaks: objects of RIBs that stay alive after they left the tree.
  public var leakDetection: LeakDetection

  /// The duration of a turn above which it is reported to `onSlowTurn` when it ends; nil to measure none.
  ///
  /// A debugging aid for trees that answer late: it names the code that occupies them. Each turn is then timed, and bound
  /// work is scheduled through a queue of the tree, which takes more than twice as long. `ShutdownReport.busy` names
  /// every piece of work, and since when it has run.
  public var turnLimit: Duration?

  /// Names the turns of this tree that do not end, while they run; nil for none. Create one for all trees of the process.
  public var watchdog: TurnWatchdog?

  /// Called on the tree's actor with each turn that took longer than `turnLimit`, when it has ended. The default writes
  /// it to standard error.
  public var onSlowTurn: (@Sendable (TurnWatchdog.SlowTurn) -> Void)?

  /// Called on the tree's actor with each leak, possibly after the tree has ended. The default writes the leak to
  /// standard error.
  public var onLeak: (@Sendable (TreeEvent.Leak) -> Void)?

  /// Called on the tree's actor with each failure that was not handled in the tree: an error of bound work that no
  /// interactor handled in `didFail(_:of:)`, and the failure with which the tree has ended.
  ///
  /// The default writes it to standard error, with a bound: of the failures of one tree, ten in ten seconds are written,
  /// and the others are counted in one line. The ten seconds double while the failures continue, up to an hour. The
  /// failure that ends the tree is always written.
  public var onFailure: (@Sendable (TreeFailure) -> Void)?

  /// The seed of the tree's random numbers, which lengthen the pauses before restarts; nil for random numbers of the
  /// system. With a seed the pauses are the same each time, for tests.
  public var randomSeed: UInt64?

  /// The context of work that lives as long as a RIB: work that an interactor starts while it becomes active, and all
  /// work of workers. Such work does not belong to the request that happened to attach the RIB. By default it starts
  /// without task-local values and with a priority that it does not inherit. All other work has the context of its
  /// caller.
  public var workContext: WorkContext

  /// Called on the tree with each misuse. The refused call leaves the tree unchanged.
  ///
  /// By default, an error stops the process in debug builds and is written to standard error in release builds. A
  /// warning is written to standard error in both.
  public var onMisuse: (@Sendable (Misuse) -> Void)?

  /// Called on the tree's actor when all RIBs of the tree have resigned, before `TreeHost.ended` and
  /// `TreeHost.onEnd(_:)`. Its bound work may still be ending.
  public var onEnd: (@Sendable (TreeEnded.Reason) -> Void)?

  /// The inspector that may observe this tree. An inspector that isn't observing adds no cost.
  public var inspector: (any TreeObserver)?

  /// Saves the tree while it runs: after RIBs were attached or detached, after `setNeedsSave()`, and for `checkpoint()`.
  /// Nil to save it only by `save()`.
  public var saving: (any TreeSaving)?

  /// Whether `saving` saves a new tree after its launch, before it changes. A directory does not, so that a call which only
  /// looks at a tree leaves nothing in the store.
  package var savesNewTree = true

  /// The shortest pause between two saves by `saving`, on the tree's clock, so that a tree that changes all the time is not
  /// copied all the time. Nil for nine times as long as the last copy has taken, so that copies take at most a tenth of
  /// the tree's time.
  ///
  /// Only saves that nothing waits for are delayed: `checkpoint()`, a call of a `TreeDirectory` that is answered when its
  /// changes are saved, and the end of the tree save at once. A process that dies loses the changes of the pause.
  public var savePause: Duration?

  /// Replaces the executors of the tree's work, whatever actor it is on; nil for the usual ones. Set by the test kit.
  package var executors: DrivenExecutors?

  /// Creates a configuration.
  public init(
    name: String? = nil,
    labels: [String: String] = [:],
    clock: any Clock<Duration> = SuspendingClock(),
    wallClock: WallTime.Clock = .system,
    leakDetection: LeakDetection = .standard,
    turnLimit: Duration? = nil,
    watchdog: TurnWatchdog? = nil,
    inspector: (any TreeObserver)? = nil,
    saving: (any TreeSaving)? = nil,
    savePause: Duration? = nil,
    eventKinds: Set<TreeEvent.Kind>? = nil,
    workContext: WorkContext = .own(),
    randomSeed: UInt64? = nil,
    onEvent: (@Sendable (TreeEvent) -> Void)? = nil,
    aroundWork: (@Sendable (_ event: TreeEvent, _ start: () -> Void) -> Void)? = nil,
    onMisuse: (@Sendable (Misuse) -> Void)? = nil,
    onLeak: (@Sendable (TreeEvent.Leak) -> Void)? = nil,
    onFailure: (@Sendable (TreeFailure) -> Void)? = nil,
    onEnd: (@Sendable (TreeEnded.Reason) -> Void)? = nil,
    onSlowTurn: (@Sendable (TurnWatchdog.SlowTurn) -> Void)? = nil
  ) {
    self.name = name
    self.labels = labels
    self.clock = clock
    self.wallClock = wallClock
    self.leakDetection = leakDetection
    self.turnLimit = turnLimit
    self.watchdog = watchdog
    self.onSlowTurn = onSlowTurn
    self.inspector = inspector
    self.saving = saving
    self.savePause = savePause
    self.eventKinds = eventKinds
    self.onLeak = onLeak
    self.onEvent = onEvent
    self.aroundWork = aroundWork
    self.onMisuse = onMisuse
    self.onFailure = onFailure
    self.onEnd = onEnd
    self.workContext = workContext
    self.randomSeed = randomSeed
  }

  /// Adds a handler of events to the one that is there, so that several libraries can observe a tree.
  ///
  /// Each handler gets only its own kinds of events: the new one those of `kinds`, and the other one those that `eventKinds`
  /// had before. `eventKinds` becomes the union of both.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of events that the handler gets; nil for all.
  ///   - handler: called on the tree with each event, before the handler that is there.
  public mutating func addEventHandler(
    of kinds: Set<TreeEvent.Kind>? = nil, _ handler: @escaping @Sendable (TreeEvent) -> Void
  ) {
    guard let other = onEvent else { return (eventKinds, onEvent) = (kinds, handler) }
    let otherKinds = eventKinds
    eventKinds = kinds.flatMap { kinds in otherKinds?.union(kinds) }
    onEvent = { event in
      if kinds?.contains(event.kind) != false { handler(event) }
      if otherKinds?.contains(event.kind) != false { other(event) }
    }
  }

  /// The bit set of the kinds of events that `onEvent` is called with.
  var kindsForHandler: TreeMoments {
    guard onEvent != nil else { return [] }
    return eventKinds.map { $0.reduce([]) { $0.union(TreeMoments($1)) } } ?? .events
  }
}

/// The configuration of a tree until its launch, and what the tree keeps of it.
final class ConfigurationBox: Sendable {
  let value: TreeConfiguration
  let settings: TreeSettings

  /// - Parameter onEnd: called when all RIBs of the tree have resigned, with its actor.
  init(_ value: TreeConfiguration, onEnd: @escaping @Sendable (TreeEnded.Reason, (any Actor)?) -> Void) {
    self.value = value
    settings = TreeSettings(
      identity: TreeIdentity(name: value.name, labels: value.labels), clock: value.clock,
      wallClock: value.wallClock, randomSeed: value.randomSeed, workContext: value.workContext,
      aroundWork: value.aroundWork,
      onFailure: value.onFailure, onMisuse: value.onMisuse, onEnd: onEnd,
      offTreeExecutor: value.executors?.offTree)
  }
}

extension TreeConfiguration {
  /// Whether a tree checks for RIBs that stay alive after they have left it.
  public enum LeakDetection: Sendable, Hashable {
    /// Off, at no cost.
    case off
    /// Checks a RIB this long after it has resigned, on the tree's clock. A shorter time than a millisecond counts as a
    /// millisecond.
    case after(Duration)

    /// The time until a check; nil if there are none.
    var delay: Duration? { if case .after(let delay) = self { delay.boundedInterval } else { nil } }

    /// After five seconds in debug builds of this package; off in release builds.
    public static var standard: LeakDetection {
      #if DEBUG
        .after(.seconds(5))
      #else
        .off
      #endif
    }
  }
}
