internal import Synchronization

/// What a hosted tree is known to do, for code that can't wait until the tree's actor answers.
final class TreeActivity: Sendable {
  enum Step: UInt8, AtomicRepresentable {
    /// Nothing that was noted.
    case unknown
    /// Its RIBs resign.
    case ending
    /// All its RIBs have resigned; their work is waited for.
    case waiting
  }

  private let step = Atomic(Step.unknown)
  private let root = Locked("")

  func note(_ step: Step) { self.step.store(step, ordering: .relaxed) }

  func setRoot(_ name: String) { root.withLock { $0 = name } }

  /// - Parameter time: for how long the tree has not answered.
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

/// Ends a wait for a tree when its time is over, also while the tree does not answer.
struct ShutdownLimit {
  /// How much later than its limit a tree that answers at the limit may do so.
  private static let grace = Duration.milliseconds(50)

  private let timeout: Duration
  private let configuration: TreeConfiguration
  private let activity: TreeActivity

  init(_ timeout: Duration, _ configuration: TreeConfiguration, _ activity: TreeActivity) {
    self.timeout = timeout
    self.configuration = configuration
    self.activity = activity
  }

  /// Ends a tree, and waits for its work until the time is over.
  ///
  /// - Parameter caller: the Swift task that asked for it, which may be a part of the tree's work.
  func shutDown(_ home: TreeActor, caller: Int?) async -> ShutdownReport {
    let first = FirstReport()
    // None of these is cancelled with the caller.
    let ending = Task { first.set(await home.shutdown(timeout: nil, caller: caller)) }
    let timer = WorkContext.inherited.task(on: configuration.executors?.away) { [timeout, configuration, activity] in
      try await configuration.clock.sleep(for: timeout)
      // A tree that answers says more than can be said without it.
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

/// A report that one of two tasks brings first.
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
