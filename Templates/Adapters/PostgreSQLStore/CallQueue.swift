// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBsStore
import Synchronization

/// The calls that wait for a connection.
final class CallQueue: Sendable {
  struct Call: Sendable {
    let statement: Statement
    /// When the call is not repeated any more.
    let deadline: ContinuousClock.Instant
    let answer: @Sendable (Result<[Row], any Error>) -> Void
  }

  private struct State {
    var waiting: [Call] = []
    /// The threads without a call. The last one gets the next call: that which was used last, so that the others can close
    /// their connections.
    var idle: [DispatchSemaphore] = []
    var isClosed = false
    var threads = 0
    var onEnd: [@Sendable () -> Void] = []
    /// The IDs of the owners that the database knows.
    var owners: Set<String> = []
    /// Those of the connections.
    var sessions: Set<Connection.Session> = []
  }

  /// What a thread waits for.
  enum Next {
    case call(Call)
    /// No call has come in time, and there are other connections.
    case idle
    /// The queue is closed, and all calls were taken.
    case closed
  }

  private let state = Mutex(State())

  /// A renewal of a lease is answered before all other calls, as the lease may be about to end.
  func append(_ call: Call) {
    let isClosed = withState { state in
      if !state.isClosed { state.waiting.insert(call, at: call.statement.isUrgent ? 0 : state.waiting.count) }
      return state.isClosed
    }
    if isClosed { call.answer(.failure(PostgreSQLError.closed)) } else { wake() }
  }

  /// Puts a call back that was not answered.
  func putBack(_ call: Call) {
    withState { $0.waiting.insert(call, at: 0) }
    wake()
  }

  private func wake() { withState { $0.idle.popLast() }?.signal() }

  /// Waits for a call.
  ///
  /// - Parameters:
  ///   - thread: signaled when there is something to do; only for this thread.
  ///   - time: how long it waits; nil for a thread without a connection, which is woken after those that have one.
  func next(_ thread: DispatchSemaphore, within time: Duration?) -> Next {
    while true {
      let next: Next? = withState { state in
        if !state.waiting.isEmpty { return .call(state.waiting.removeFirst()) }
        if state.isClosed { return .closed }
        state.idle.insert(thread, at: time == nil ? 0 : state.idle.count)
        return nil
      }
      if let next { return next }
      guard let time else {
        thread.wait()
        continue
      }
      if thread.wait(timeout: .now() + time / .seconds(1)) == .success { continue }
      let (wasWoken, isLast) = withState { state in
        let index = state.idle.firstIndex { $0 === thread }
        if let index { state.idle.remove(at: index) }
        return (index == nil, state.sessions.count < 2)
      }
      if wasWoken { thread.wait() } else if !isLast { return .idle }
    }
  }

  /// Called by each thread when it begins.
  func begin() { withState { $0.threads += 1 } }

  /// Called by each thread when it is done.
  func end() {
    let waiters = withState { state in
      state.threads -= 1
      guard state.threads == 0 else { return [@Sendable () -> Void]() }
      defer { state.onEnd = [] }
      return state.onEnd
    }
    for waiter in waiters { waiter() }
  }

  /// Refuses calls from now on.
  ///
  /// - Parameter onEnd: called when the calls before are answered, and the threads are done.
  func close(onEnd: @escaping @Sendable () -> Void = {}) {
    let (hasEnded, idle) = withState { state in
      state.isClosed = true
      if state.threads > 0 { state.onEnd.append(onEnd) }
      defer { state.idle = [] }
      return (state.threads == 0, state.idle)
    }
    if hasEnded { onEnd() }
    for thread in idle { thread.signal() }
  }

  /// - Returns: false if another connection has the session.
  func begin(_ session: Connection.Session) -> Bool { withState { $0.sessions.insert(session).inserted } }
  func end(_ session: Connection.Session) { withState { _ = $0.sessions.remove(session) } }

  func hasMet(_ owner: TreeOwner) -> Bool { withState { $0.owners.contains(owner.id) } }
  func didMeet(_ owner: TreeOwner) { withState { _ = $0.owners.insert(owner.id) } }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
