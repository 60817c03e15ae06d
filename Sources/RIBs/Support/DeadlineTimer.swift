// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// One timer for many deadlines on a clock.
///
/// A cancelled sleep of a task stays in the timers of the system until its deadline (Swift 6.3): a timeout of ten minutes
/// that was not needed would keep 0.7 KB for ten minutes. Here, a deadline that is not needed leaves the heap at once. The
/// timer sleeps until the earliest deadline, and does not cancel that sleep when the deadline leaves.
///
/// Trees with a clock of the system share its timer, as they share the threads of the process.
package final class DeadlineTimer: Sendable {
  package typealias Action = @Sendable () -> Void

  /// A deadline, to be cancelled.
  package struct Deadline: Sendable {
    fileprivate let slot: Int
    fileprivate let use: UInt64
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
  /// - Complexity: logarithmic in the number of deadlines.
  package func cancel(_ deadline: Deadline) {
    let action = state.withLock { $0.remove(slot: deadline.slot, use: deadline.use) }
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

/// A binary heap of deadlines, the earliest first, from which each can be removed.
private struct DeadlineHeap {
  private struct Entry {
    let time: Int64
    let slot: Int
  }

  /// The place of a deadline, which is used again for later ones.
  private struct Slot {
    /// The number of deadlines that have used it.
    var use: UInt64 = 0
    var index = 0
    /// Nil while it is free.
    var action: DeadlineTimer.Action?
  }

  private var entries: [Entry] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  /// The times until which tasks sleep, the earliest last.
  private var wakeUps: [Int64] = []

  var count: Int { entries.count }

  mutating func insert(_ time: Int64, _ action: @escaping DeadlineTimer.Action) -> DeadlineTimer.Deadline {
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(Slot()) }
    slots[slot].use += 1
    slots[slot].action = action
    entries.append(Entry(time: time, slot: slot))
    moveUp(entries.count - 1)
    return DeadlineTimer.Deadline(slot: slot, use: slots[slot].use)
  }

  /// - Returns: the action, to be released outside the lock; nil if the deadline has left before.
  mutating func remove(slot: Int, use: UInt64) -> DeadlineTimer.Action? {
    guard slots[slot].use == use, slots[slot].action != nil else { return nil }
    return remove(at: slots[slot].index)
  }

  mutating func removeAll(until time: Int64) -> [DeadlineTimer.Action] {
    var actions: [DeadlineTimer.Action] = []
    while let first = entries.first, first.time <= time { if let action = remove(at: 0) { actions.append(action) } }
    return actions
  }

  /// The time until which another task has to sleep; nil if one wakes up early enough.
  mutating func nextWakeUp(within tolerance: Int64) -> Int64? {
    guard let first = entries.first, wakeUps.last.map({ first.time + tolerance < $0 }) ?? true else { return nil }
    wakeUps.append(first.time)
    return first.time
  }

  mutating func endWakeUp(_ time: Int64) {
    if let index = wakeUps.lastIndex(of: time) { wakeUps.remove(at: index) }
  }

  private mutating func remove(at index: Int) -> DeadlineTimer.Action? {
    let slot = entries[index].slot
    let last = entries.removeLast()
    if index < entries.count {
      entries[index] = last
      slots[last.slot].index = index
      moveDown(index)
      moveUp(slots[last.slot].index)
    }
    defer { slots[slot].action = nil }
    freeSlots.append(slot)
    return slots[slot].action
  }

  private mutating func moveUp(_ start: Int) {
    var index = start
    let entry = entries[index]
    while index > 0, case let parent = (index - 1) / 2, entry.time < entries[parent].time {
      put(entries[parent], at: index)
      index = parent
    }
    put(entry, at: index)
  }

  private mutating func moveDown(_ start: Int) {
    var index = start
    let entry = entries[index]
    while case var child = 2 * index + 1, child < entries.count {
      if child + 1 < entries.count, entries[child + 1].time < entries[child].time { child += 1 }
      guard entries[child].time < entry.time else { break }
      put(entries[child], at: index)
      index = child
    }
    put(entry, at: index)
  }

  private mutating func put(_ entry: Entry, at index: Int) {
    entries[index] = entry
    slots[entry.slot].index = index
  }
}
