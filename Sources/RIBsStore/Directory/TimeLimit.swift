// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Runs an operation in a task, and waits for it no longer than a limit.
///
/// Use it in a server for all that a request may wait for: its body, the tree, the store, another process.
/// `TreeDirectory.perform(on:timeout:)` limits a call alone, and says what the tree was busy with.
///
/// The operation is cancelled at the limit, and when the calling task is cancelled. An operation that ignores that continues,
/// and its result is discarded. All limits share one timer, and one that is not needed leaves it at once, so that ten thousand
/// requests a second leave no memory. The timer needs a free thread of Swift's global executor.
///
/// ```swift
/// let report = try await withTimeLimit(.seconds(5)) { "the report" }
/// print(report ?? "not in time")
/// ```
///
/// - Parameters:
///   - limit: how long to wait, on a continuous clock.
///   - operation: runs in a task of its own, which is not isolated to the actor of the caller.
/// - Returns: the operation's result; nil at the limit.
/// - Throws: what the operation throws; a `CancellationError` as soon as the calling task is cancelled.
/// - Complexity: logarithmic in the number of limits that are waited for.
public nonisolated(nonsending) func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  try await value(of: operation, atMost: limit.boundedTimeout, on: ContinuousClock()) { .success(nil) }
}

/// Runs an operation in a task, and waits for it no longer than a limit. The operation is cancelled then.
///
/// - Parameter atLimit: makes the result at the limit, on any thread.
nonisolated(nonsending) func value<Value: Sendable>(
  of operation: @escaping @Sendable () async throws -> Value, atMost limit: Duration, on clock: any Clock<Duration>,
  atLimit: @escaping @Sendable () -> Result<Value, any Error>
) async throws -> Value {
  let answer = Promise<Result<Value, any Error>>()
  let timer = StartedTimer(on: clock, after: limit, executor: nil) { answer.set(atLimit()) }
  let task = Task {
    do {
      answer.set(.success(try await operation()))
    } catch is LimitedCall.Abandoned {
      // The limit answers, or the caller has left.
    } catch {
      answer.set(.failure(error))
    }
  }
  // The task is cancelled before the caller continues, which may use what the operation still waits for, such as the rest of
  // a body.
  defer {
    timer.cancel()
    task.cancel()
  }
  return try await answer.result()
}
