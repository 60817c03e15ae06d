// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Which builders of a directory wait for other openings, to refuse one that would wait for itself.
///
/// A builder is known by the task that runs it, and by the tasks of its calls with a timeout: a call from another task that
/// it has started is not its own.
struct OpeningWaits: Sendable {
  /// The openings whose builders run, by the identity of the task.
  private var builders: [Int: ObjectIdentifier] = [:]
  /// The openings that the builder of another one waits for, by the identity of the task.
  private var waits: [ObjectIdentifier: [Int: ObjectIdentifier]] = [:]

  /// The opening whose builder a task runs.
  func opening(of task: Int) -> ObjectIdentifier? { builders[task] }

  mutating func begin(_ opening: ObjectIdentifier, by task: Int) { builders[task] = opening }

  mutating func end(_ task: Int) { builders[task] = nil }

  /// - Returns: false if the opening waits for that of the task, directly or through others.
  mutating func begin(waitingFor opening: ObjectIdentifier, _ task: Int) -> Bool {
    guard let own = builders[task] else { return true }
    var pending = [opening]
    while let current = pending.popLast() {
      guard current != own else { return false }
      if let others = waits[current] { pending += others.values }
    }
    waits[own, default: [:]][task] = opening
    return true
  }

  mutating func endWaiting(_ task: Int) {
    guard let own = builders[task] else { return }
    waits[own]?[task] = nil
    if waits[own]?.isEmpty == true { waits[own] = nil }
  }
}
