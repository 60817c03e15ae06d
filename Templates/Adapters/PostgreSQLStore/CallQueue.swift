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
    var isClosed = false
    var threads = 0
    var onEnd: [@Sendable () -> Void] = []
    /// The IDs of the owners that the database knows.
    var owners: Set<String> = []
    /// Those of the connections.
    var sessions: Set<Connection.Session> = []
  }

  private let state = Mutex(State())
  /// Signaled once for each call, and at the end.
  private let signal = DispatchSemaphore(value: 0)

  /// A renewal of a lease is answered before all other calls, as the lease may be about to end.
  func append(_ call: Call) {
    let isClosed = withState { state in
      if !state.isClosed { state.waiting.insert(call, at: call.statement.isUrgent ? 0 : state.waiting.count) }
      return state.isClosed
    }
    if isClosed { call.answer(.failure(PostgreSQLError.closed)) }
    signal.signal()
  }

  /// Puts a call back that was not answered.
  func putBack(_ call: Call) {
    withState { $0.waiting.insert(call, at: 0) }
    signal.signal()
  }

  /// Waits for a call.
  ///
  /// - Returns: nil if the queue is closed and all calls were taken.
  func next() -> Call? {
    while true {
      let (call, isClosed) = withState { ($0.waiting.isEmpty ? nil : $0.waiting.removeFirst(), $0.isClosed) }
      if let call { return call }
      if isClosed { return nil }
      signal.wait()
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
    // Wakes the next thread.
    signal.signal()
    for waiter in waiters { waiter() }
  }

  /// Refuses calls from now on.
  ///
  /// - Parameter onEnd: called when the calls before are answered, and the threads are done.
  func close(onEnd: @escaping @Sendable () -> Void = {}) {
    let hasEnded = withState { state in
      state.isClosed = true
      if state.threads > 0 { state.onEnd.append(onEnd) }
      return state.threads == 0
    }
    if hasEnded { onEnd() }
    signal.signal()
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
