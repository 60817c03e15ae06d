// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Hummingbird
import Synchronization

/// Answers requests within a time limit, whatever they wait for: the body, the tree, the store, or another process.
public struct TimeLimit<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServerContext {
  private let limit: Duration
  private let inner: Inner

  /// Limits the time of the calls of another responder.
  public init(limit: Duration, inner: Inner) { (self.limit, self.inner) = (limit, inner) }

  /// Answers a request, or throws `Problem.timedOut`.
  public func respond(to request: Request, context: ServerContext) async throws -> Response {
    guard let response = try await within(limit, { try await inner.respond(to: request, context: context) }) else {
      var problem = Problem.timedOut
      problem.cause = "no answer within \(limit)"
      throw problem
    }
    return response
  }
}

extension Problem {
  /// Its connection is closed, because the rest of the request may be missing.
  public static var timedOut: Problem {
    var problem = Problem(
      .gatewayTimeout, "timed-out",
      "The request was not answered in time, and may have been carried out. Repeat it with the same Idempotency-Key.",
      retryAfter: 1)
    problem.closesConnection = true
    return problem
  }
}

/// Runs an operation, and stops waiting for it after a time. It is cancelled then.
///
/// - Returns: nil after that time.
func within<Value: Sendable>(
  _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  let first = Mutex<CheckedContinuation<Value?, any Error>?>(nil)
  let takeContinuation: @Sendable () -> CheckedContinuation<Value?, any Error>? = {
    first.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
  }
  let task = Task { () -> Value? in try await operation() }
  let timer = Task {
    try await Task.sleep(for: limit)
    // Taken before, because the cancelled operation may throw at once; and resumed after, because the caller may use what
    // the operation still waits for, such as the rest of a body, and there can be only one who waits for it.
    guard let continuation = takeContinuation() else { return }
    task.cancel()
    continuation.resume(returning: nil)
  }
  defer { timer.cancel() }
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      first.withLock { $0 = continuation }
      Task {
        let result = await task.result
        takeContinuation()?.resume(with: result)
      }
    }
  } onCancel: {
    task.cancel()
  }
}
