// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// One timer for many deadlines on a clock.
///
/// A cancelled sleep of a task stays in the timers of the system until its deadline (Swift 6.3): a timeout of ten minutes
/// that was not needed would keep 0.7 KB for ten minutes. Here, the action of a deadline that is not needed is released at
/// once. The timer sleeps until the earliest deadline, and does not cancel that sleep when the deadline leaves.
///
/// Trees with a clock of the system share its timer, as they share the threads of the process.
package final class DeadlineTimer: Sendable {
  package typealias Action = @Sendable () -> Void

  /// A deadline, to be cancelled.
  package struct Deadline: Sendable {
    fileprivate let id: UInt64
  }

  static let suspending = DeadlineTimer(on: SuspendingClock())
  static let continuous = DeadlineTimer(on: ContinuousClock())

  /// How much later than its deadline an action may be called, in nanoseconds. It limits the number of sleeps while each
  /// new deadline is earlier than all before.
  private static let tolerance: Int64 = 1_000_000

  private let state = Locked(DeadlineHeap())
  /// The time since the creation, in nanoseconds.
  private let now: @Sendable () -> Int64
  /// Sleeps until a time. A duration would begin later than it was computed, and end too late by as much.
  private let sleep: @Sendable (Int64) async -> Void

  package init<C: Clock<Duration>>(on clock: C) {
    let start = clock.now
    let elapsed = stopwatch(on: clock, since: start)
    now = { elapsed().wholeNanoseconds }
    sleep = { try? await clock.sleep(until: start.advanced(by: .nanoseconds($0)), tolerance: nil) }
  }

  /// The timer of a clock of the system; nil for another clock.
  static func timer<C: Clock<Duration>>(of clock: C) -> DeadlineTimer? {
    if C.self == SuspendingClock.self { return suspending }
    if C.self == ContinuousClock.self { return continuous }
    return nil
  }

  /// Calls a closure once when a duration has passed, on any thread.
  ///
  /// - Complexity: logarithmic in the number of deadlines.
  package func schedule(after duration: Duration, _ action: @escaping Action) -> Deadline {
    let time = now() + duration.boundedTimeout.wholeNanoseconds
    let (deadline, wakeUp) = state.withLock { heap in
      (heap.insert(time, action), heap.nextWakeUp(within: DeadlineTimer.tolerance))
    }
    if let wakeUp { Task.detached { await self.run(from: wakeUp) } }
    return deadline
  }

  /// Removes a deadline, unless it has passed.
  ///
  /// - Complexity: amortized logarithmic in the number of deadlines.
  package func cancel(_ deadline: Deadline) {
    let action = state.withLock { $0.remove(deadline) }
    withExtendedLifetime(action) {}
  }

  /// The number of deadlines.
  package var count: Int { state.withLock { $0.count } }

  /// Waits until a duration has passed.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled.
  nonisolated(nonsending) func wait(for duration: Duration) async throws {
    let answer = Promise<Result<Void, any Error>>()
    let deadline = schedule(after: duration) { answer.set(.success(())) }
    defer { cancel(deadline) }
    try await answer.result()
  }

  /// Sleeps until a wake-up, calls the actions whose deadlines have passed, and continues with the next wake-up, unless
  /// another task sleeps until an earlier one.
  private func run(from wakeUp: Int64) async {
    var next: Int64? = wakeUp
    while let wakeUp = next {
      await sleep(wakeUp)
      let time = now()
      let actions: [Action]
      (actions, next) = state.withLock { heap in
        heap.endWakeUp(wakeUp)
        return (heap.removeAll(until: time), heap.nextWakeUp(within: DeadlineTimer.tolerance))
      }
      for action in actions { action() }
    }
  }
}

/// The deadlines, with a binary heap that finds the earliest.
private struct DeadlineHeap {
  private struct Entry {
    let time: Int64
    let id: UInt64
  }

  /// The heap. Deadlines that were removed stay in it until they are the earliest, or the majority.
  private var entries: [Entry] = []
  private var actions: [UInt64: DeadlineTimer.Action] = [:]
  private var lastID: UInt64 = 0
  /// The times until which tasks sleep, the earliest last.
  private var wakeUps: [Int64] = []

  var count: Int { actions.count }

  mutating func insert(_ time: Int64, _ action: @escaping DeadlineTimer.Action) -> DeadlineTimer.Deadline {
    lastID += 1
    actions[lastID] = action
    var index = entries.count
    entries.append(Entry(time: time, id: lastID))
    while index > 0, case let parent = (index - 1) / 2, time < entries[parent].time {
      entries.swapAt(index, parent)
      index = parent
    }
    return DeadlineTimer.Deadline(id: lastID)
  }

  /// - Returns: the action, to be released outside the lock; nil if the deadline has left before.
  mutating func remove(_ deadline: DeadlineTimer.Deadline) -> DeadlineTimer.Action? {
    let action = actions.removeValue(forKey: deadline.id)
    if entries.count > 2 * actions.count + 64 {
      // A sorted array is a heap.
      entries = entries.filter { actions[$0.id] != nil }.sorted { $0.time < $1.time }
    }
    return action
  }

  mutating func removeAll(until time: Int64) -> [DeadlineTimer.Action] {
    var actions: [DeadlineTimer.Action] = []
    while let first = entries.first, first.time <= time {
      if let action = self.actions.removeValue(forKey: first.id) { actions.append(action) }
      removeFirst()
    }
    return actions
  }

  /// The time until which another task has to sleep; nil if one wakes up early enough.
  mutating func nextWakeUp(within tolerance: Int64) -> Int64? {
    while let first = entries.first, actions[first.id] == nil { removeFirst() }
    guard let first = entries.first, wakeUps.last.map({ first.time + tolerance < $0 }) ?? true else { return nil }
    wakeUps.append(first.time)
    return first.time
  }

  mutating func endWakeUp(_ time: Int64) {
    if let index = wakeUps.lastIndex(of: time) { wakeUps.remove(at: index) }
  }

  private mutating func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var index = 0
    while case var child = 2 * index + 1, child < entries.count {
      if child + 1 < entries.count, entries[child + 1].time < entries[child].time { child += 1 }
      guard entries[child].time < entries[index].time else { break }
      entries.swapAt(child, index)
      index = child
    }
  }
}
