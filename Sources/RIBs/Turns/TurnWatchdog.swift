// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Names the turns that do not end, while they run.
///
/// A turn that never ends keeps a thread of Swift's global executor. With as many as cores, nothing else runs in the
/// process: no call, no timeout, no `shutdown(timeout:)`. A watchdog has a thread of its own, so it still finds out which
/// tree, which RIB and which call site that is.
///
/// Create one for the process, and pass it to all trees:
///
/// ```swift
/// let watchdog = TurnWatchdog(limit: .seconds(2), endsProcessAfter: .seconds(30))
/// let session = await TreeHost(configuration: TreeConfiguration(name: "user-17", watchdog: watchdog)) {
///   RootBuilder(dependency: AppComponent()).build()
/// }
/// print(session.isActive)
/// ```
///
/// - Each turn that exceeds `limit` is reported once while it runs, and once when it has ended.
/// - With `endsProcessAfter`, a turn that also exceeds that time ends the process: its message is written to standard
///   error, and `abort()` ends the process by `SIGABRT`, which a shell shows as exit status 134. Where core dumps are on,
///   the dump has the stack of the turn. What was not saved is lost, as with any crash.
/// - A call is named by its file and line, at the root; a step of bound work and the delivery of a result by its RIB, its
///   key and the file and line that started it.
///
/// **Cost**: a call costs the same with a watchdog. A step of bound work after an `await` takes a queue of the tree, as with
/// `TreeConfiguration.turnLimit`. The thread wakes up four times within the limit, at least four times a second, and reads
/// two words of each tree. Without trees there is no thread.
///
/// A turn has run for at least the time that a report says, counted from the round in which the watchdog first saw it. The
/// time in which the process is suspended does not count.
public final class TurnWatchdog: Sendable {
  /// A turn that exceeds a limit.
  public struct Report: Sendable, Hashable, CustomStringConvertible {
    /// What has happened.
    public enum Kind: Sendable, Hashable {
      /// The turn exceeds `TurnWatchdog.limit`, and runs.
      case exceedsLimit
      /// A turn that was reported before has ended.
      case hasEnded
      /// The turn exceeds `TurnWatchdog.endsProcessAfter`, and the process ends.
      case endsProcess
    }

    /// What has happened.
    public let kind: Kind
    /// The tree, what it runs, the RIB, and for how long.
    public let turn: ShutdownReport.BusyTree
    /// The limit that the turn exceeds.
    public let limit: Duration

    /// The report as one line, with advice.
    public var description: String {
      switch kind {
      case .exceedsLimit:
        "RIBs: \(turn); the limit is \(limit). It blocks a thread until it returns. Move code that computes or blocks off "
          + "the tree, with run or inParallel."
      case .hasEnded: "RIBs: This has ended: \(turn); the limit is \(limit)."
      case .endsProcess: "RIBs: \(turn). The process ends, because TurnWatchdog.endsProcessAfter is \(limit)."
      }
    }
  }

  /// A turn that has run since an earlier round.
  private struct WatchedTurn {
    let activity: TreeActivity
    var turn: TreeActivity.Sighting
    var age = Duration.zero
    /// What was reported, if it exceeds the limit.
    var reported: ShutdownReport.BusyTree?
  }

  private struct State {
    /// The trees that the thread has yet to see.
    var added: [TreeActivity] = []
    /// The turns that the last round has seen: at most one for each thread.
    var turns: [ObjectIdentifier: WatchedTurn] = [:]
    var isRunning = false
  }

  /// The duration of a turn above which it is reported. At least a millisecond.
  public let limit: Duration
  /// The duration of a turn above which the process ends; nil to let it run.
  public let endsProcessAfter: Duration?
  private let onReport: (@Sendable (Report) -> Void)?
  private let endProcess: @Sendable () -> Void
  private let hasThread: Bool
  private let state = Locked(State())
  /// The trees that are watched. Only a round changes them. A tree has ended when nothing else has its activity.
  private let trees = Locked<[TreeActivity]>([])

  /// Creates a watchdog. It starts its thread with the first tree.
  ///
  /// - Parameters:
  ///   - limit: the duration of a turn above which it is reported.
  ///   - endsProcessAfter: the duration of a turn above which the process ends; at least `limit`. Nil to let it run.
  ///   - onReport: called on the watchdog's thread with each turn that exceeds the limit, and when it has ended. It must not
  ///     block, or wait for code that may not run, because the watchdog waits for it. By default, and before the process
  ///     ends, the report is written to standard error.
  public convenience init(
    limit: Duration = .seconds(2), endsProcessAfter: Duration? = nil, onReport: (@Sendable (Report) -> Void)? = nil
  ) {
    self.init(
      limit: limit, endsProcessAfter: endsProcessAfter, hasThread: true, endProcess: { SystemThread.abortProcess() },
      onReport)
  }

  /// - Parameters:
  ///   - hasThread: whether it has rounds of its own. Otherwise only `check(after:)` makes them.
  ///   - endProcess: called when a turn exceeds the second limit.
  package init(
    limit: Duration, endsProcessAfter: Duration?, hasThread: Bool, endProcess: @escaping @Sendable () -> Void,
    _ onReport: (@Sendable (Report) -> Void)?
  ) {
    self.limit = limit.boundedInterval
    self.endsProcessAfter = endsProcessAfter.map { max($0, limit).boundedInterval }
    self.hasThread = hasThread
    self.endProcess = endProcess
    self.onReport = onReport
  }

  /// The turns that exceed the limit now, in no order. Any thread can read them.
  public var exceedingTurns: [ShutdownReport.BusyTree] {
    state.withLock { state in state.turns.values.compactMap { $0.reported?.after($0.age) } }
  }

  // MARK: Trees

  /// Watches a tree, until nothing else has its activity.
  func watch(_ activity: TreeActivity) {
    let isFirst = state.withLock { state in
      state.added.append(activity)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst, hasThread, !SystemThread.start({ self.run() }) else { return }
    // The system has no thread now. The next tree tries again.
    state.withLock { $0.isRunning = false }
  }

  /// How long a tree has been seen to run the same turn.
  func age(of activity: TreeActivity) -> Duration {
    state.withLock { $0.turns[ObjectIdentifier(activity)]?.age } ?? .zero
  }

  /// The number of trees that the last round has watched.
  package var treeCount: Int { trees.withLock(\.count) }

  // MARK: The thread

  /// The shortest time between two rounds.
  private var shortestPause: Duration { min(limit / 4, .milliseconds(250)).boundedInterval }

  /// Makes rounds until there are no trees.
  private func run() {
    let now = Stopwatch(on: SuspendingClock())
    var last = now()
    var pause = shortestPause
    while true {
      SystemThread.sleep(for: pause)
      let start = now()
      // Not the time in which the process was suspended, or this thread did not run.
      let duration = makeRound(after: min(start - last, pause * 4))
      last = start
      // Looking at many trees takes long. It takes at most a twentieth of a core.
      pause = max(shortestPause, duration * 20)
      let isEmpty = trees.withLock(\.isEmpty)
      let hasEnded = state.withLock { state in
        guard isEmpty, state.added.isEmpty else { return false }
        state.isRunning = false
        return true
      }
      if hasEnded { return }
    }
  }

  /// Looks at each tree once.
  ///
  /// - Parameter time: the time since the last round.
  package func check(after time: Duration) { _ = makeRound(after: time) }

  /// - Returns: how long it took to look at the trees, without the reports.
  private func makeRound(after time: Duration) -> Duration {
    let now = Stopwatch(on: SuspendingClock())
    let (added, seen) = state.withLock { state in
      defer { state.added = [] }
      return (state.added, state.turns)
    }
    var turns = trees.withLock { trees in
      trees += added
      return TurnWatchdog.runningTurns(of: &trees, seen, time)
    }
    var reports: [Report] = []
    for (id, turn) in seen where turns[id]?.reported == nil {
      if let busy = turn.reported { reports.append(Report(kind: .hasEnded, turn: busy.after(turn.age), limit: limit)) }
    }
    for (id, turn) in turns where turn.reported == nil && turn.age >= limit {
      // Nil if the turn has just ended.
      guard let busy = turn.activity.busy(for: turn.age) else { continue }
      turns[id]?.reported = busy
      reports.append(Report(kind: .exceedsLimit, turn: busy, limit: limit))
    }
    let found = turns
    state.withLock { $0.turns = found }
    let duration = now()
    for report in reports { if let onReport { onReport(report) } else { writeToStandardError("\(report)\n") } }
    endProcessIfNeeded(found.values)
    return duration
  }

  private func endProcessIfNeeded(_ turns: some Sequence<WatchedTurn>) {
    guard let endsProcessAfter else { return }
    let endless = turns.compactMap { $0.age >= endsProcessAfter ? $0.reported?.after($0.age) : nil }
    for busy in endless {
      writeToStandardError("\(Report(kind: .endsProcess, turn: busy, limit: endsProcessAfter))\n")
    }
    if !endless.isEmpty { endProcess() }
  }

  /// Finds the trees that run a turn now, and forgets those that have ended.
  private static func runningTurns(
    of trees: inout [TreeActivity], _ seen: [ObjectIdentifier: WatchedTurn], _ time: Duration
  ) -> [ObjectIdentifier: WatchedTurn] {
    var turns: [ObjectIdentifier: WatchedTurn] = [:]
    var index = 0
    while index < trees.count {
      // Nothing else can use it again.
      if seen[ObjectIdentifier(trees[index])] == nil, isKnownUniquelyReferenced(&trees[index]) {
        trees.swapAt(index, trees.count - 1)
        trees.removeLast()
        continue
      }
      let activity = trees[index]
      index += 1
      guard let (turn, wasMarked) = activity.mark() else { continue }
      let id = ObjectIdentifier(activity)
      if wasMarked, var known = seen[id], known.turn == turn {
        known.age = known.age.addingSaturated(time)
        turns[id] = known
      } else {
        turns[id] = WatchedTurn(activity: activity, turn: turn)
      }
    }
    return turns
  }
}
