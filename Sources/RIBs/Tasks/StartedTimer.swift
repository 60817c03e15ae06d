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
    let context = BoundWork.Context.own()
    if let timer = DeadlineTimer.timer(of: clock) {
      self = .deadline(timer, timer.schedule(after: duration) { _ = context.task(on: executor) { await action() } })
    } else {
      let task = context.task(on: executor) {
        // Throws if the timer is cancelled.
        try await clock.wait(for: duration)
        await action()
      }
      self = .task(task)
    }
  }

  package func cancel() {
    switch self {
    case .deadline(let timer, let deadline): timer.cancel(deadline)
    case .task(let task): task.cancel()
    }
  }
}
