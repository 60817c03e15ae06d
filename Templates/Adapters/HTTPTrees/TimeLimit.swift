// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Hummingbird
import Synchronization

/// Answers requests within a time limit, whatever they wait for: the body, the tree, the store, or another process.
public struct TimeLimit<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServerContext {
  private let waits: Waits
  private let inner: Inner

  /// Limits the time of the calls of another responder.
  public init(limit: Duration, inner: Inner) { (waits, self.inner) = (Waits(limit: limit), inner) }

  /// Answers a request, or throws `Problem.timedOut`.
  public func respond(to request: Request, context: ServerContext) async throws -> Response {
    let response = try await waits.value { [inner] in try await inner.respond(to: request, context: context) }
    guard let response else {
      var problem = Problem.timedOut
      problem.cause = "no answer within \(waits.limit)"
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

/// Operations that are waited for until the same time after their start, with one timer for all.
///
/// A timer for each would stay in memory until its time, also when its operation has ended: with 10,000 refused requests a
/// second, 50,000 timers.
final class Waits: Sendable {
  private struct State {
    /// In the order of their ends, because all have the same limit.
    var waits: [(end: ContinuousClock.Instant, wait: any Expiring)] = []
    /// The waits among these that have ended.
    var ended = 0
    var hasTimer = false
  }

  let limit: Duration
  private let state = Mutex(State())

  init(limit: Duration) { self.limit = limit }

  /// Runs an operation, and stops waiting for it after the limit. It is cancelled then.
  ///
  /// - Returns: nil after that time.
  func value<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value? {
    let wait = Wait<Value>()
    defer { didEnd() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait.begin(continuation, operation)
        add(wait)
      }
    } onCancel: {
      wait.cancel()
    }
  }

  private func add(_ wait: any Expiring) {
    let needsTimer = state.withLock { state in
      // Under the lock, so that the ends are in order.
      state.waits.append((.now + limit, wait))
      defer { state.hasTimer = true }
      return !state.hasTimer
    }
    if needsTimer { Task { await self.expire() } }
  }

  private func didEnd() {
    state.withLock { state in
      state.ended += 1
      // Some at a time, so that each costs a constant time.
      guard state.ended >= 64, state.ended > state.waits.count / 2 else { return }
      state.waits.removeAll { $0.wait.hasEnded }
      state.ended = 0
    }
  }

  /// Expires the waits whose time has come, until there are none.
  private func expire() async {
    while let (due, next) = takeDue() {
      for wait in due { wait.expire() }
      try? await Task.sleep(until: next, clock: .continuous)
    }
  }

  /// - Returns: nil if there are no waits.
  private func takeDue() -> (due: [any Expiring], next: ContinuousClock.Instant)? {
    state.withLock { state in
      let now = ContinuousClock.now
      let count = state.waits.firstIndex { $0.end > now && !$0.wait.hasEnded } ?? state.waits.count
      let due = state.waits.prefix(count).map(\.wait)
      state.waits.removeFirst(count)
      state.ended = 0
      guard let next = state.waits.first?.end ?? (due.isEmpty ? nil : now) else {
        state.hasTimer = false
        return nil
      }
      return (due, next)
    }
  }
}

/// A wait that can expire.
private protocol Expiring: Sendable {
  var hasEnded: Bool { get }

  func expire()
}

private final class Wait<Value: Sendable>: Expiring {
  private enum State {
    case ready(isCancelled: Bool)
    case running(CheckedContinuation<Value?, any Error>, Task<Void, Never>)
    case ended
  }

  private let state = Mutex(State.ready(isCancelled: false))

  var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

  func begin(
    _ continuation: CheckedContinuation<Value?, any Error>, _ operation: @escaping @Sendable () async throws -> Value
  ) {
    // Under the lock, because the operation may end at once.
    state.withLock { state in
      let task = Task {
        let result: Result<Value?, any Error>
        do { result = .success(try await operation()) } catch { result = .failure(error) }
        take()?.continuation.resume(with: result)
      }
      if case .ready(isCancelled: true) = state { task.cancel() }
      state = .running(continuation, task)
    }
  }

  func cancel() {
    let task: Task<Void, Never>? = state.withLock { state in
      switch state {
      case .ready: state = .ready(isCancelled: true)
      case .running(_, let task): return task
      case .ended: break
      }
      return nil
    }
    task?.cancel()
  }

  func expire() {
    // Taken before, because the cancelled operation may throw at once; and resumed after, because the caller may use what
    // the operation still waits for, such as the rest of a body, and there can be only one who waits for it.
    guard let (continuation, task) = take() else { return }
    task.cancel()
    continuation.resume(returning: nil)
  }

  private func take() -> (continuation: CheckedContinuation<Value?, any Error>, task: Task<Void, Never>)? {
    state.withLock { state in
      guard case .running(let continuation, let task) = state else { return nil }
      state = .ended
      return (continuation, task)
    }
  }
}
