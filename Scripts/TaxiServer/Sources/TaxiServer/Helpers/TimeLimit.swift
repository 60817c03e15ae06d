import Hummingbird
import Synchronization

/// Answers requests within a time limit, whatever they wait for: the body, the tree, the store, or another process.
struct TimeLimit<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServerContext {
  let limit: Duration
  let inner: Inner

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    guard let response = try await within(limit, { try await inner.respond(to: request, context: context) }) else {
      throw Problem.timedOut
    }
    return response
  }
}

extension Problem {
  /// Its connection is closed, because the rest of the request may be missing.
  static var timedOut: Problem {
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
  let finish: @Sendable (Result<Value?, any Error>) -> Void = { result in
    first.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }?.resume(with: result)
  }
  let task = Task { () -> Value? in try await operation() }
  let timer = Task {
    try await Task.sleep(for: limit)
    // First, because the cancelled operation may throw at once.
    finish(.success(nil))
    task.cancel()
  }
  defer { timer.cancel() }
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      first.withLock { $0 = continuation }
      Task { finish(await task.result) }
    }
  } onCancel: {
    task.cancel()
  }
}
