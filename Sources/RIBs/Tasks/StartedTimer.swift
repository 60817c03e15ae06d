// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A timer that calls a closure once, unless it is cancelled before.
package enum StartedTimer: Sendable {
  case deadline(DeadlineTimer, DeadlineTimer.Deadline)
  /// On a clock that is not one of the system.
  case task(Task<Void, any Error>)

  /// Starts a timer. The closure has no task-local values of the code that starts it.
  ///
  /// - Parameters:
  ///   - clock: measures the duration.
  ///   - executor: the executor of the closure; nil for the global executor.
  package init(
    on clock: any Clock<Duration>, after duration: Duration, executor: (any TaskExecutor)?,
    _ action: @escaping @Sendable () async -> Void
  ) {
    self = StartedTimer.start(on: clock, after: duration, executor, action)
  }

  private static func start<C: Clock<Duration>>(
    on clock: C, after duration: Duration, _ executor: (any TaskExecutor)?,
    _ action: @escaping @Sendable () async -> Void
  ) -> StartedTimer {
    let context = BoundWork.Context.own()
    if let timer = DeadlineTimer.timer(of: clock) {
      return .deadline(timer, timer.schedule(after: duration) { _ = context.task(on: executor) { await action() } })
    }
    let task = context.task(on: executor) {
      // Throws if the timer is cancelled.
      try await clock.wait(for: duration)
      await action()
    }
    return .task(task)
  }

  package func cancel() {
    switch self {
    case .deadline(let timer, let deadline): timer.cancel(deadline)
    case .task(let task): task.cancel()
    }
  }
}
