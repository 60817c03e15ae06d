internal import Synchronization

/// The last known activity of a hosted tree, readable while the tree's actor is busy.
final class TreeActivity: Sendable {
  enum Step: UInt8, AtomicRepresentable {
    /// No activity was recorded.
    case unknown
    /// Its RIBs resign.
    case ending
    /// All its RIBs have resigned; the shutdown waits for their work.
    case waiting
  }

  private let step = Atomic(Step.unknown)
  private let root = Locked("")

  func note(_ step: Step) { self.step.store(step, ordering: .relaxed) }

  func setRoot(_ name: String) { root.withLock { $0 = name } }

  /// - Parameter time: how long the tree has not answered.
  func busyTree(for time: Duration) -> ShutdownReport.BusyTree {
    let activity =
      switch step.load(ordering: .relaxed) {
      case .unknown: "has not begun to end: a call, bound work, or another tree of its executor holds its thread"
      case .ending: "has not ended: a callback or a disposal of its RIBs holds its thread"
      case .waiting: "has ended, and something holds the thread of its executor"
      }
    return .init(root: root.withLock { $0 }, activity: activity, time: time)
  }
}

/// Limits the wait for the shutdown of a tree, even if the tree's actor does not answer.
struct ShutdownLimit {
  /// How long after the timeout to wait for the tree's own report.
  private static let grace = Duration.milliseconds(50)

  private let timeout: Duration
  private let configuration: TreeConfiguration
  private let activity: TreeActivity

  init(_ timeout: Duration, _ configuration: TreeConfiguration, _ activity: TreeActivity) {
    self.timeout = timeout
    self.configuration = configuration
    self.activity = activity
  }

  /// Ends a tree, and waits for its work until the timeout.
  ///
  /// - Parameter caller: the Swift task that requested the shutdown, which may be part of the tree's work.
  func shutDown(_ home: TreeActor, caller: Int?) async -> ShutdownReport {
    let first = FirstReport()
    // None of these tasks is cancelled with the caller.
    let ending = Task { first.set(await home.shutdown(timeout: nil, caller: caller)) }
    let timer = WorkContext.inherited.task(on: configuration.executors?.away) { [timeout, configuration, activity] in
      try await configuration.clock.sleep(for: timeout)
      // The tree's own report has more detail than one made without it.
      let answer = Task { first.set(await home.unfinishedWork()) }
      try? await ContinuousClock().sleep(for: ShutdownLimit.grace)
      first.set(ShutdownReport(unfinishedTasks: [], busy: activity.busyTree(for: timeout)))
      answer.cancel()
    }
    let report = await first.value
    timer.cancel()
    ending.cancel()
    return report
  }
}

/// The report of whichever of two tasks finishes first.
private final class FirstReport: Sendable {
  private enum State {
    case empty
    case awaited(CheckedContinuation<ShutdownReport, Never>)
    case here(ShutdownReport)
  }

  private let state = Locked(State.empty)

  func set(_ report: ShutdownReport) {
    let waiting = state.withLock { state in
      switch state {
      case .empty:
        state = .here(report)
        return CheckedContinuation<ShutdownReport, Never>?.none
      case .awaited(let continuation):
        state = .here(report)
        return continuation
      case .here:
        return nil
      }
    }
    waiting?.resume(returning: report)
  }

  var value: ShutdownReport {
    get async {
      await withCheckedContinuation { continuation in
        let report = state.withLock { state in
          if case .here(let report) = state { return ShutdownReport?.some(report) }
          state = .awaited(continuation)
          return nil
        }
        if let report { continuation.resume(returning: report) }
      }
    }
  }
}
