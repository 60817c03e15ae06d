internal import RIBs
internal import Synchronization

/// A clock whose time stands still while there is anything to do, and then jumps to the next deadline.
///
/// An order has one of its own, so an order of hours is over at once and takes the same course each time. The clock
/// counts the work that can do something just now: the bound work of the tree, which it knows from the tree's events, less
/// what sleeps. When nothing is left, whoever runs the order lets time pass, one sleeper at a time.
final class VirtualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  /// What came of letting time pass.
  enum Step: Hashable, Sendable {
    /// Somebody was woken.
    case woken
    /// There is still something to do at this time.
    case notYet
    /// Nobody sleeps, so that nothing will ever happen.
    case standstill
  }

  private struct Sleeper {
    let number: Int
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// How much work is there that does not sleep.
    var awake = 0
    var sleepers: [Sleeper] = []
    var isStopped = false
    var observer: CheckedContinuation<Void, Never>?

    /// Whether there is nothing to do, or never will be.
    var isIdle: Bool { awake <= 0 || isStopped }

    /// Whoever waits for there to be nothing to do, if there is nothing.
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

  private let state = Guarded(State())
  private let numbers = Atomic(0)
  /// In milliseconds. Moved under the lock, and read without.
  private let time = Atomic(0)

  var now: Instant { Instant(offset: .milliseconds(time.load(ordering: .acquiring))) }

  var minimumResolution: Duration { .milliseconds(1) }
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

  /// - Returns: whether it sleeps; a task that was cancelled does not.
  private func add(_ sleeper: Sleeper) -> Bool {
    change { state in
      // Asked under the lock: whoever cancels later finds the sleeper.
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

  /// Changes the state, and tells whoever waits for there to be nothing to do.
  private func change<Result>(_ body: (inout State) -> Result) -> sending Result where Result: Sendable {
    let (result, observer) = state.withLock { state in (body(&state), state.takeObserver()) }
    observer?.resume()
    return result
  }
}

/// For those whose work is counted.
extension VirtualClock {
  /// The kinds of events that bound work is counted by.
  static let recorded: Set<TreeEvent.Kind> = [.taskStarted, .taskEnded, .taskFailed]

  /// Counts the bound work of a tree.
  func record(_ event: TreeEvent) {
    switch event.kind {
    case .taskStarted: workDidBegin()
    case .taskEnded, .taskFailed: workDidEnd()
    default: break
    }
  }

  /// There is work now that can do something. Nobody who waits for there to be nothing to do has to be told.
  func workDidBegin() { state.withLock { $0.awake += 1 } }

  /// There is one less.
  func workDidEnd() {
    let isIdle = state.withLock { state in
      state.awake -= 1
      return state.isIdle
    }
    // Mostly there is more to do, and nobody to tell.
    if isIdle { change { _ in } }
  }

  /// Does something that must not take too long.
  ///
  /// - Throws: what the operation throws, or `TimedOut` when the time is over; the operation is cancelled then.
  func withTimeout<Value: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // The work splits in two here: one that does it, and one that looks at the clock.
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

/// For whoever lets time pass.
extension VirtualClock {
  /// Lets time pass until it is told to stop, or the calling task is cancelled.
  ///
  /// - Parameter advance: calls `advance()` where the tree runs, so that no callback of the tree is under way just then.
  /// - Returns: whether the time stopped by itself, because nobody sleeps and nothing is left to do.
  nonisolated(nonsending) func run(_ advance: nonisolated(nonsending) () async throws -> Step) async rethrows -> Bool {
    try await withTaskCancellationHandler {
      while true {
        await waitForNothingToDo()
        if isStopped { return false }
        if try await advance() == .standstill { return true }
      }
    } onCancel: {
      stop()
    }
  }

  /// Wakes whoever has to be woken next, at the time that was asked for, if there is nothing else to do.
  func advance() -> Step {
    let (step, sleeper) = state.withLock { state in
      guard state.awake <= 0, !state.isStopped else { return (Step.notYet, nil as Sleeper?) }
      guard let sleeper = state.takeNext() else { return (.standstill, nil) }
      time.max(sleeper.deadline.milliseconds, ordering: .releasing)
      state.awake += 1
      return (.woken, sleeper)
    }
    sleeper?.continuation.resume()
    return step
  }

  /// Time stands still from now on, and `run` returns. What sleeps does so until it is cancelled, as by the end of its tree.
  func stop() { change { $0.isStopped = true } }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func waitForNothingToDo() async {
    await withCheckedContinuation { continuation in
      change { $0.observer = continuation }
    }
  }
}
