// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A value that is set once, on any thread, and can be awaited.
@usableFromInline
package final class Promise<Value: Sendable>: Sendable {
  package typealias Handler = @Sendable (Value) -> Void

  private struct State {
    var value: Value?
    /// Empty once the value is set.
    var handlers = Handlers()
  }

  /// The handlers by their numbers, which ascend from zero.
  private struct Handlers {
    /// The handler with the number zero. Most promises have only this one.
    var first: Handler?
    var others: [Int: Handler] = [:]
    var lastNumber = -1

    var inOrder: [Handler] {
      let others = others.sorted { $0.key < $1.key }.map(\.value)
      return first.map { [$0] + others } ?? others
    }

    mutating func add(_ handler: @escaping Handler) -> Int {
      lastNumber += 1
      if lastNumber == 0 { first = handler } else { others[lastNumber] = handler }
      return lastNumber
    }

    mutating func remove(_ number: Int) -> Handler? {
      guard number == 0 else { return others.removeValue(forKey: number) }
      defer { first = nil }
      return first
    }

    func contains(_ number: Int) -> Bool { number == 0 ? first != nil : others[number] != nil }
  }

  private let state = Locked(State())

  package init() {}

  /// The value, if it was set.
  package var current: Value? { state.withLock { $0.value } }

  /// Whether the value was set.
  var isSet: Bool { state.withLock { $0.value != nil } }

  /// Sets the value and calls the handlers in order, unless it was set before.
  ///
  /// - Returns: whether it was not set before.
  @discardableResult
  package func set(_ value: Value) -> Bool {
    let found: Handlers? = state.withLock { state in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.handlers = Handlers() }
      return state.handlers
    }
    guard let handlers = found else { return false }
    if handlers.others.isEmpty {
      handlers.first?(value)
    } else {
      for handler in handlers.inOrder { handler(value) }
    }
    return true
  }

  /// Calls a handler when the value is set, on the thread that sets it; at once if it was set before.
  ///
  /// - Returns: the number of the handler, to remove it; nil if it was called at once.
  /// - Complexity: O(1).
  @discardableResult
  package func whenSet(_ handler: @escaping Handler) -> Int? {
    let added: (number: Int?, value: Value?) = state.withLock { state in
      if let value = state.value { (nil, value) } else { (state.handlers.add(handler), nil) }
    }
    if let value = added.value { handler(value) }
    return added.number
  }

  /// Removes a handler, unless it has been called.
  ///
  /// - Complexity: O(1).
  package func remove(_ number: Int) {
    let removed = state.withLock { $0.handlers.remove(number) }
    withExtendedLifetime(removed) {}
  }

  /// The number of handlers that wait.
  package var handlerCount: Int {
    state.withLock { $0.handlers.others.count + ($0.handlers.first == nil ? 0 : 1) }
  }

  /// Whether a handler was neither called nor removed.
  func contains(_ number: Int) -> Bool { state.withLock { $0.handlers.contains(number) } }

  /// The value, when it is set. Cancelling the calling task does not end the wait.
  package var value: Value {
    get async {
      await withCheckedContinuation { continuation in _ = whenSet { _ in continuation.resume() } }
      // Not returned by the continuation: the thread sanitizer does not see the order of a continuation that is resumed
      // before it is awaited (Swift 6.3).
      guard let value = current else { fatalError("A promise calls its handlers after its value is set.") }
      return value
    }
  }
}

extension Promise {
  /// The value, when it is set. Cancelling the calling task ends the wait of this caller.
  ///
  /// - Throws: a `CancellationError` if the calling task is cancelled first.
  package nonisolated(nonsending) func valueUnlessCancelled() async throws -> Value {
    let answer = Promise<Result<Value, any Error>>()
    let handler = whenSet { answer.set(.success($0)) }
    defer { if let handler { remove(handler) } }
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
