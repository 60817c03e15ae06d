// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The state of bound work, from the request to its end.
///
/// All transitions:
///
/// | from | admitted to wait | started | first step | cancelled | ended |
/// |---|---|---|---|---|---|
/// | `created` | `queued` | `scheduled` | | `ended` | |
/// | `queued` | | `scheduled` | | `ended`, never started | |
/// | `scheduled` | | | `running` | `ended`, never begun; `cancelled` for a workflow, and at the timeout | |
/// | `running` | | | | `cancelled` | `ended`: a success or a failure |
/// | `cancelled` | | | | `cancelled` by the program, if it had timed out | `ended`: cancelled, or timed out |
/// | `ended` | | | refused | | |
///
/// `ended` is final: a late call finds it and does nothing.
struct TaskState {
  /// Why work was cancelled.
  enum Cancellation {
    /// The scope has ended: the interactor resigned, or the worker stopped.
    case scopeEnded
    /// Later work with the same key has replaced it.
    case superseded
    /// The program cancelled it, for example by disposing of a workflow.
    case requested
    /// It took longer than its timeout.
    case timedOut
  }

  /// The action that a cancellation requires.
  enum CancelAction {
    /// End the work now: it has not begun and never will.
    case end
    /// Cancel the Swift task of the running work, and wait for its end.
    case cancelTask
    case nothing
  }

  /// How work ended.
  enum Outcome {
    case success
    /// It threw an error without having been cancelled.
    case failure(any Error)
    /// It was cancelled. Holds the error that it threw, if any.
    case cancelled((any Error)?)
    /// It was cancelled at its timeout.
    case timedOut
  }

  private enum Case {
    case created
    /// Waits for earlier work with the same key.
    case queued
    /// The Swift task exists, and has not taken its first step.
    case scheduled
    case running
    case cancelled(Cancellation)
    case ended
  }

  private var current = Case.created

  var isQueued: Bool { if case .queued = current { true } else { false } }
  var hasEnded: Bool { if case .ended = current { true } else { false } }

  /// Why the work was cancelled, while it is still running.
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

  /// - Returns: whether to take the first step.
  mutating func begin() -> Bool {
    guard case .scheduled = current else { return false }
    current = .running
    return true
  }

  /// - Parameter endsUnbegun: whether work that has not taken its first step ends at once. If false, its first step
  ///   ends it.
  mutating func cancel(_ reason: Cancellation, endsUnbegun: Bool) -> CancelAction {
    switch current {
    case .created, .queued:
      return .end
    case .scheduled where endsUnbegun:
      if case .timedOut = reason { current = .cancelled(reason) }
      return .end
    case .scheduled, .running:
      current = .cancelled(reason)
      return .cancelTask
    case .cancelled(.timedOut) where reason == .requested:
      // The program no longer waits for the work, so it does not hear of the timeout either.
      current = .cancelled(reason)
      return .cancelTask
    case .cancelled, .ended:
      return .nothing
    }
  }

  /// Ends the work.
  ///
  /// - Parameter error: the error that the work threw.
  /// - Returns: the outcome; nil if the work had ended before.
  mutating func end(throwing error: (any Error)?) -> Outcome? {
    defer { current = .ended }
    switch current {
    case .ended: return nil
    case .cancelled(.timedOut): return .timedOut
    case .created, .queued, .scheduled, .cancelled: return .cancelled(error)
    case .running: return error.map { .failure($0) } ?? .success
    }
  }
}

/// Whether the chain of a workflow may continue with its item. The chain's task has a `TaskState` besides, which says
/// whether the task was cancelled.
///
/// All transitions; where a field is empty, nothing changes:
///
/// | from | `enter()` | `wait()` | `exceed(_:)` | `lose()` |
/// |---|---|---|---|---|
/// | `working` | `working` | `waiting` | `timedOut` | `lost` |
/// | `waiting` | `working` | `waiting` | | `lost` |
/// | `timedOut` | | | | `lost` |
/// | `lost` | | | | |
enum ChainState: Hashable {
  /// In the scope of its item or, if neither the item nor an earlier one has a scope, in none. Initially for an item that
  /// is active.
  case working
  /// In no scope, until its item is active.
  case waiting
  /// A step has exceeded its time limit. The chain ends with the step.
  case timedOut(after: Duration)
  /// The scope has ended: the interactor or the double has resigned. The chain ends with the step.
  case lost

  /// The initial state.
  init(isReady: Bool, scopeHasEnded: Bool) { self = isReady ? .working : scopeHasEnded ? .lost : .waiting }

  private var isOpen: Bool { self == .working || self == .waiting }

  /// The item is active.
  mutating func enter() { if isOpen { self = .working } }

  /// The chain leaves its scope, to wait for an item.
  mutating func wait() { if isOpen { self = .waiting } }

  /// The running step exceeds its time limit.
  mutating func exceed(_ timeout: Duration) { if self == .working { self = .timedOut(after: timeout) } }

  /// The scope ends.
  mutating func lose() { self = .lost }
}
