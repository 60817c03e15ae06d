/// A value that is set once, on any thread, and can be awaited.
@usableFromInline
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case empty(handlers: [@Sendable (Value) -> Void])
    case set(Value)
  }

  private let state = Locked(State.empty(handlers: []))

  package init() {}

  /// The value, if it was set.
  package var current: Value? { state.withLock { state in if case .set(let value) = state { value } else { nil } } }

  /// Whether the value was set.
  var isSet: Bool { state.withLock { state in if case .set = state { true } else { false } } }

  /// Sets the value and calls the handlers in order, unless it was set before.
  package func set(_ value: Value) {
    let handlers: [@Sendable (Value) -> Void] = state.withLock { state in
      guard case .empty(let handlers) = state else { return [] }
      state = .set(value)
      return handlers
    }
    for handler in handlers { handler(value) }
  }

  /// Calls a handler when the value is set, on the thread that sets it; at once if it was set before.
  package func whenSet(_ handler: @escaping @Sendable (Value) -> Void) {
    let value: Value? = state.withLock { state in
      switch state {
      case .set(let value): return value
      case .empty(let handlers):
        state = .empty(handlers: handlers + [handler])
        return nil
      }
    }
    if let value { handler(value) }
  }

  /// The value, when it is set. Cancelling the calling task does not end the wait.
  package var value: Value {
    get async {
      await withCheckedContinuation { continuation in whenSet { _ in continuation.resume() } }
      // Not returned by the continuation: the thread sanitizer does not see the order of a continuation that is resumed
      // before it is awaited (Swift 6.3).
      return state.withLock { state in
        guard case .set(let value) = state else { fatalError("A promise calls its handlers after its value is set.") }
        return value
      }
    }
  }
}

extension Promise {
  /// The value, when it is set. Cancelling the calling task ends the wait of this caller.
  ///
  /// - Throws: a `CancellationError` if the calling task is cancelled first.
  package nonisolated(nonsending) func valueUnlessCancelled() async throws -> Value {
    let answer = Promise<Result<Value, any Error>>()
    whenSet { answer.set(.success($0)) }
    return try await answer.result()
  }

  /// The result, when it is set.
  ///
  /// Cancelling the calling task ends the wait. It sets the promise, which belongs to this caller alone.
  ///
  /// - Throws: the failure of the result; a `CancellationError` if the calling task is cancelled first.
  @usableFromInline
  package nonisolated(nonsending) func result<Success>() async throws -> Success
  where Value == Result<Success, any Error> {
    let result = await withTaskCancellationHandler {
      await value
    } onCancel: {
      set(.failure(CancellationError()))
    }
    return try result.get()
  }
}
