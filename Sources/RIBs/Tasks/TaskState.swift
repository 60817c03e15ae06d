/// Where bound work is between the request for it and its end.
///
/// The transitions, all of them below:
///
/// | from | admitted to wait | started | first step | cancelled | ended |
/// |---|---|---|---|---|---|
/// | `created` | `queued` | `scheduled` | | `ended` | |
/// | `queued` | | `scheduled` | | `ended`, never started | |
/// | `scheduled` | | | `running` | `ended`, never begun; `cancelled` for a workflow | |
/// | `running` | | | | `cancelled` | `ended`: a success or a failure |
/// | `cancelled` | | | | | `ended`: cancelled |
/// | `ended` | | | refused | | |
///
/// Nothing leads from `ended` anywhere: what is late finds it there, and does nothing.
struct TaskState {
  /// Why work was cancelled.
  enum Cancellation {
    /// Its scope has ended: the interactor resigned, or the worker stopped.
    case scopeEnded
    /// Later work of the same name has taken its place.
    case superseded
    /// The program asked for it, as by disposing of a workflow.
    case requested
  }

  /// What is to be done about a cancellation.
  enum CancelAction {
    /// The work had not begun and never will: end it now.
    case end
    /// The work runs: cancel its Swift task, and wait for its end.
    case cancelTask
    case nothing
  }

  /// What came of work.
  enum Outcome {
    case success
    /// It threw an error although it was not cancelled.
    case failure(any Error)
    /// It was cancelled, and ended in whatever way.
    case cancelled((any Error)?)
  }

  private enum Case {
    case created
    /// Waits for the work of its name that came before.
    case queued
    /// Its Swift task is there, and has not taken its first step.
    case scheduled
    case running
    case cancelled(Cancellation)
    case ended
  }

  private var current = Case.created

  var isQueued: Bool { if case .queued = current { true } else { false } }
  var hasEnded: Bool { if case .ended = current { true } else { false } }

  /// Why the work was cancelled, while it runs on.
  var cancellation: Cancellation? { if case .cancelled(let reason) = current { reason } else { nil } }

  mutating func queue() {
    if case .created = current { current = .queued }
  }

  mutating func schedule() {
    switch current {
    case .created, .queued: current = .scheduled
    case .scheduled, .running, .cancelled, .ended: break
    }
  }

  /// - Returns: whether the first step may be taken.
  mutating func begin() -> Bool {
    guard case .scheduled = current else { return false }
    current = .running
    return true
  }

  /// - Parameter endsUnbegun: whether work that has not taken its first step ends at once. If not, its first step is what
  ///   finds out, and ends it.
  mutating func cancel(_ reason: Cancellation, endsUnbegun: Bool) -> CancelAction {
    switch current {
    case .created, .queued:
      return .end
    case .scheduled where endsUnbegun:
      return .end
    case .scheduled, .running:
      current = .cancelled(reason)
      return .cancelTask
    case .cancelled, .ended:
      return .nothing
    }
  }

  /// The work has ended; with nil, if it had before.
  ///
  /// - Parameter error: what it threw.
  mutating func end(throwing error: (any Error)?) -> Outcome? {
    defer { current = .ended }
    switch current {
    case .ended: return nil
    case .created, .queued, .scheduled, .cancelled: return .cancelled(error)
    case .running: return error.map { .failure($0) } ?? .success
    }
  }
}
