/// A value that is set once, on any thread, and can be awaited.
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case empty(handlers: [@Sendable (Value) -> Void])
    case set(Value)
  }

  private let state = Locked(State.empty(handlers: []))

  /// The value, if it was set.
  var current: Value? { state.withLock { state in if case .set(let value) = state { value } else { nil } } }

  /// Sets the value and calls the handlers in order, unless it was set before.
  func set(_ value: Value) {
    let handlers: [@Sendable (Value) -> Void] = state.withLock { state in
      guard case .empty(let handlers) = state else { return [] }
      state = .set(value)
      return handlers
    }
    for handler in handlers { handler(value) }
  }

  /// Calls a handler when the value is set, on the thread that sets it; at once if it was set before.
  func whenSet(_ handler: @escaping @Sendable (Value) -> Void) {
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
  var value: Value {
    get async { await withCheckedContinuation { continuation in whenSet { continuation.resume(returning: $0) } } }
  }
}
