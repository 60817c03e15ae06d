// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

extension TreeSnapshot.Node {
  /// The RIB's state, and how long it has been active.
  var stateText: String { age.map { "\(state.rawValue) \($0.shortText)" } ?? state.rawValue }

  /// The running tasks, as `2 tasks`; nil if there are none.
  var taskCount: String? { tasks.isEmpty ? nil : tasks.count.counted("task") }

  /// The running workers, as `1 worker`; nil if there are none.
  var workerCount: String? { workers.isEmpty ? nil : workers.count.counted("worker") }

  /// The subscriptions, as `3 subscriptions`; nil if there are none.
  var subscriptionCount: String? { subscriptions == 0 ? nil : subscriptions.counted("subscription") }

  /// The restarts, as `restarts 2 of 3`; nil if there were none.
  var restartCount: String? { restarts.map { "restarts \($0)" } }

  /// When work wakes, as `sleeps until 2026-01-01T18:00:00Z (in 3h 0m)`; nil if none sleeps.
  ///
  /// - Parameter now: the time of the snapshot; nil if it is not known.
  func sleep(at now: WallTime?) -> String? {
    guard let wakes else { return nil }
    let rest = now.map { wakes > $0 ? " (in \((wakes - $0).shortText))" : " (now)" }
    return "sleeps until \(wakes)\(rest ?? "")"
  }
}

extension Int {
  /// The number with a noun: `1 task`, `2 tasks`.
  func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
