// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import Synchronization
internal import TaxiOrder

/// A virtual clock that jumps to the next deadline when all work sleeps.
///
/// Each order has its own, so an order of hours takes almost no real time and is deterministic. The clock counts the
/// work that is not sleeping: the tree's bound work, known from its events, minus the sleepers. When the count is
/// zero, the code that runs the order advances the time, one sleeper at a time.
final class VirtualClock: OrderClock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  /// The result of `advance()`.
  enum Step: Hashable, Sendable {
    /// A sleeper was woken.
    case resumed
    /// Work is still running at this time.
    case busy
    /// No work is running or sleeping, so nothing more will happen.
    case stuck
  }

  private struct Sleeper {
    let number: Int
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// The number of work items that are not sleeping.
    var awake = 0
    var sleepers: [Sleeper] = []
    var isStopped = false
    var observer: CheckedContinuation<Void, Never>?

    /// Whether no work is running, or the clock is stopped.
    var isIdle: Bool { awake <= 0 || isStopped }

    /// The waiter for idleness, if the clock is idle.
    mutating func takeObserver() -> CheckedContinuation<Void, Never>? {
      guard isIdle else { return nil }
      defer { observer = nil }
      return observer
    }

    mutating func takeNext() -> Sleeper? {
      let next = sleepers.indices.min { one, other in
        (sleepers[one].deadline, sleepers[one].number) < (sleepers[other].deadline, sleepers[other].number)
      }
      return next.map { sleepers.remove(at: $0) }
    }
  }

  private let state = Locked(State())
  private let numbers = Atomic(0)
  /// In milliseconds. Written under the lock, read without it.
  private let milliseconds: Atomic<Int>

  /// - Parameter time: where the clock begins.
  init(at time: OrderTime = .zero) { milliseconds = Atomic(time.offset.milliseconds) }

  var now: Instant { Instant(offset: .milliseconds(milliseconds.load(ordering: .acquiring))) }

  var time: OrderTime { OrderTime(milliseconds: milliseconds.load(ordering: .acquiring)) }

  var minimumResolution: Duration { .milliseconds(1) }

  /// The wall clock of a tree whose time is this clock's: it begins in 1970.
  var wallClock: WallTime.Clock {
    WallTime.Clock(now: { self.wallTime(of: self.time) }) { time in
      try await self.sleep(for: time - self.wallTime(of: self.time))
    }
  }
}

extension VirtualClock {
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = numbers.add(1, ordering: .relaxed).newValue
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(number: number, deadline: deadline.offset, continuation: continuation)
        if !add(sleeper) { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      takeSleeper(number)?.continuation.resume(throwing: CancellationError())
    }
  }

  /// - Returns: false if the task was cancelled, and does not sleep.
  private func add(_ sleeper: Sleeper) -> Bool {
    change { state in
      // Checked under the lock: a later cancellation finds the sleeper.
      guard !Task.isCancelled else { return false }
      state.sleepers.append(sleeper)
      state.awake -= 1
      return true
    }
  }

  private func takeSleeper(_ number: Int) -> Sleeper? {
    change { state in
      guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
      state.awake += 1
      return state.sleepers.remove(at: index)
    }
  }

  /// Changes the state, and resumes the waiter if the clock has become idle.
  private func change<Result>(_ body: (inout State) -> Result) -> sending Result where Result: Sendable {
    let (result, observer) = state.withLock { state in (body(&state), state.takeObserver()) }
    observer?.resume()
    return result
  }
}

/// Counting work.
extension VirtualClock {
  /// The kinds of events that `record(_:)` needs.
  static let recorded: Set<TreeEvent.Kind> = [.taskStarted, .taskEnded, .taskFailed]

  /// Counts the bound work of a tree.
  func record(_ event: TreeEvent) {
    switch event.kind {
    case .taskStarted: workDidBegin()
    case .taskEnded, .taskFailed: workDidEnd()
    default: break
    }
  }

  /// Counts one more running work item.
  func workDidBegin() { state.withLock { $0.awake += 1 } }

  /// Counts one less.
  func workDidEnd() {
    let isIdle = state.withLock { state in
      state.awake -= 1
      return state.isIdle
    }
    // Fast path: usually other work is running.
    if isIdle { change { _ in } }
  }

  /// Runs an operation with a time limit.
  ///
  /// - Throws: the error of the operation, or `TimedOut` after the limit; the operation is cancelled then.
  func withTimeout<Value: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // Two tasks run here instead of one: the operation and the timer.
    workDidBegin()
    defer { workDidEnd() }
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await operation() }
      group.addTask {
        try await self.sleep(for: limit)
        throw TimedOut(limit: limit)
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}

/// Advancing time.
extension VirtualClock {
  /// Advances time until the clock is stopped or the calling task is cancelled.
  ///
  /// - Parameter advance: calls `advance()` on the tree's actor, so that no callback of the tree is running.
  /// - Returns: whether it ended because no work is running or sleeping.
  nonisolated(nonsending) func run(_ advance: nonisolated(nonsending) () async throws -> Step) async rethrows -> Bool {
    try await withTaskCancellationHandler {
      while true {
        await waitUntilIdle()
        if isStopped { return false }
        if try await advance() == .stuck { return true }
      }
    } onCancel: {
      stop()
    }
  }

  /// Advances to the next deadline and wakes that sleeper, if no work is running.
  func advance() -> Step {
    let (step, sleeper) = state.withLock { state in
      guard state.awake <= 0, !state.isStopped else { return (Step.busy, nil as Sleeper?) }
      guard let sleeper = state.takeNext() else { return (.stuck, nil) }
      milliseconds.max(sleeper.deadline.milliseconds, ordering: .releasing)
      state.awake += 1
      return (.resumed, sleeper)
    }
    sleeper?.continuation.resume()
    return step
  }

  /// Stops the time; `run` returns. Sleepers sleep until they are cancelled, for example by the end of their tree.
  func stop() { change { $0.isStopped = true } }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      change { $0.observer = continuation }
    }
  }
}

/// An operation exceeded its time limit.
struct TimedOut: Error, Hashable, CustomStringConvertible {
  let limit: Duration

  var description: String { "no answer within \(limit.components.seconds) s" }
}
