// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The state of a launched tree, from its launch to the end of its last work.
///
/// All transitions; where a field is empty, nothing changes:
///
/// | from | `end(_:)` | `rootDidResign()` | `workDidStart()` | `workDidEnd()` |
/// |---|---|---|---|---|
/// | `running` | `ending`, the root resigns | | counts it | counts it |
/// | `ending` | | `ended` | counts it | counts it |
/// | `ended` | | | refused | counts it; after the last, the events complete |
///
/// `hold()` counts the stop of a worker as work in each state: it is reported even if the tree has ended.
@usableFromInline
struct TreeState {
  @usableFromInline
  enum Phase {
    /// The root is active, or is about to be.
    case running(measuresCalls: Bool)
    /// The RIBs resign, the root last.
    case ending
    /// The root has resigned. Work that has been cancelled may still run.
    case ended
  }

  @usableFromInline private(set) var phase: Phase
  /// Why the tree ends or has ended; nil while it runs. Not part of the phase, which would then be retained by each
  /// piece of work that reads it.
  private(set) var reason: TreeEnded.Reason?
  /// The number of pieces of work, and of stopping workers, that have not ended.
  private(set) var runningWork = 0

  /// - Parameter measuresCalls: whether calls are measured as turns.
  init(measuresCalls: Bool) { phase = .running(measuresCalls: measuresCalls) }

  var isRunning: Bool { if case .running = phase { true } else { false } }

  /// Whether a call needs neither to be refused nor to be measured.
  @inlinable var takesPlainCalls: Bool { if case .running(measuresCalls: false) = phase { true } else { false } }

  /// Whether the tree and all its work have ended.
  var isComplete: Bool { if case .ended = phase { runningWork == 0 } else { false } }

  /// - Returns: whether the root resigns now.
  mutating func end(_ reason: TreeEnded.Reason) -> Bool {
    guard case .running = phase else { return false }
    (phase, self.reason) = (.ending, reason)
    return true
  }

  mutating func rootDidResign() {
    if case .ending = phase { phase = .ended }
  }

  /// - Returns: whether the work belongs to the tree.
  mutating func workDidStart() -> Bool {
    if case .ended = phase { return false }
    runningWork += 1
    return true
  }

  /// Counts the stop of a worker.
  mutating func hold() { runningWork += 1 }

  /// - Returns: whether the events complete now.
  mutating func workDidEnd() -> Bool {
    runningWork -= 1
    return isComplete
  }
}
