// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBsStore
import Synchronization

/// The calls that wait for a connection.
final class CallQueue: Sendable {
  struct Call: Sendable {
    let statement: Statement
    /// When it was made.
    var time = ContinuousClock.now
    /// When the call is not repeated any more.
    let deadline: ContinuousClock.Instant
    let answer: @Sendable (Result<[Row], any Error>) -> Void
  }

  struct State {
    /// Those that are answered before all others, and the others.
    var (urgent, waiting): ([Call], [Call]) = ([], [])
    /// The calls that run and are not urgent.
    var running = 0
    /// How long calls have waited in the second that began then.
    private var (second, waited) = (ContinuousClock.now, Duration.zero)
    /// The threads without a call that have a connection. The last one, which had a call last, gets the next, so that the
    /// others can close their connections.
    var connected: [DispatchSemaphore] = []
    /// Those that have none.
    var unconnected: [DispatchSemaphore] = []
    /// Whether a thread without a connection waits until a call has waited too long.
    var isWatched = false
    var isClosed = false
    var threads = 0
    var onEnd: [@Sendable () -> Void] = []
    /// The IDs of the owners that the database knows.
    var owners: Set<String> = []
    /// Those of the connections.
    var sessions: Set<Connection.Session> = []
    /// Those of connections that were given up. At a server that has failed, they end with it.
    var abandoned: [Connection.Session] = []

    var isEmpty: Bool { urgent.isEmpty && waiting.isEmpty }

    /// Whether another call may run that is not urgent. One thread is kept free: while a replica is away, all calls that
    /// run wait for it, and leases would end behind them.
    private var hasPlace: Bool { running < max(threads - 1, 1) }

    /// Whether a call needs another connection: there is none, or calls wait too long.
    func needsConnection(at now: ContinuousClock.Instant = .now) -> Bool {
      sessions.isEmpty || waited >= CallQueue.busyTime || (firstTime.map { $0 + CallQueue.patience <= now } ?? false)
    }

    /// When the first of the calls was made that may run now.
    var firstTime: ContinuousClock.Instant? {
      [urgent.first, hasPlace ? waiting.first : nil].compactMap { $0?.time }.min()
    }

    /// Takes the next call that may run now.
    mutating func take(at now: ContinuousClock.Instant = .now) -> Call? {
      let isUrgent = !urgent.isEmpty
      guard isUrgent || (hasPlace && !waiting.isEmpty) else { return nil }
      let call = isUrgent ? urgent.removeFirst() : waiting.removeFirst()
      if !isUrgent { running += 1 }
      if now - second >= .seconds(1) { (second, waited) = (now, .zero) }
      waited += now - call.time
      return call
    }

    /// Those that are put back were made before all others.
    mutating func put(_ call: Call, isFirst: Bool) {
      if call.statement.isUrgent {
        urgent.insert(call, at: isFirst ? 0 : urgent.count)
      } else {
        waiting.insert(call, at: isFirst ? 0 : waiting.count)
      }
    }
  }

  /// What a thread waits for.
  enum Next {
    case call(Call)
    /// No call has come in time.
    case timeout
    /// The queue is closed, and the thread is not needed for the calls before.
    case closed
  }

  /// How long a call waits for a connection that is in use, before another one is opened. Most calls take less.
  private static let patience = Duration.milliseconds(5)
  /// How long all calls of a second wait together, before another connection is opened.
  private static let busyTime = Duration.milliseconds(50)

  private let state = Mutex(State())

  func append(_ call: Call) {
    let isClosed = withState { state in
      if !state.isClosed { state.put(call, isFirst: false) }
      return state.isClosed
    }
    if isClosed { call.answer(.failure(PostgreSQLError.closed)) } else { wake() }
  }

  /// Called when a call has run, before it is answered or put back.
  func didRun(_ call: Call) { if !call.statement.isUrgent { withState { $0.running -= 1 } } }

  /// Puts a call back that was not answered.
  func putBack(_ call: Call) { withState { $0.put(call, isFirst: true) } }

  /// Lets another thread look for a call.
  func wake() {
    withState { state in
      // One thread without a connection is enough to see that calls wait.
      state.connected.popLast() ?? (state.isWatched ? nil : state.unconnected.popLast())
    }?.signal()
  }

  /// Waits for a call.
  ///
  /// - Parameter thread: signaled when there is something to do; only for this thread, which has a connection.
  func next(_ thread: DispatchSemaphore, before end: ContinuousClock.Instant) -> Next {
    while true {
      let next: Next? = withState { state in
        if let call = state.take() { return .call(call) }
        if state.isClosed { return .closed }
        state.connected.append(thread)
        return nil
      }
      if let next { return next }
      if thread.wait(timeout: .now() + max((end - .now) / .seconds(1), 0)) == .success { continue }
      let wasWoken = withState { state in
        guard let index = state.connected.firstIndex(where: { $0 === thread }) else { return true }
        state.connected.remove(at: index)
        return false
      }
      if !wasWoken { return .timeout }
      thread.wait()
    }
  }

  /// Waits for a call that needs another connection.
  ///
  /// - Parameter thread: as that of `next`, and has no connection.
  func nextWithoutConnection(_ thread: DispatchSemaphore) -> Next {
    while true {
      var watchesUntil: ContinuousClock.Instant?
      let next: Next? = withState { state in
        if state.needsConnection(), let call = state.take() {
          // The next one may need a connection, too.
          if !state.isEmpty { state.unconnected.popLast()?.signal() }
          return .call(call)
        }
        if state.isClosed { return .closed }
        if let time = state.firstTime, !state.isWatched {
          state.isWatched = true
          watchesUntil = time + CallQueue.patience
        } else {
          state.unconnected.append(thread)
        }
        return nil
      }
      if let next { return next }
      guard let watchesUntil else {
        thread.wait()
        continue
      }
      // It is in no list, so it is not signaled.
      _ = thread.wait(timeout: .now() + max((watchesUntil - .now) / .seconds(1), 0))
      withState { $0.isWatched = false }
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
      defer { (state.connected, state.unconnected) = ([], []) }
      return (state.threads == 0, state.connected + state.unconnected)
    }
    if hasEnded { onEnd() }
    for thread in idle { thread.signal() }
  }

  /// - Returns: false if another connection has the session.
  func begin(_ session: Connection.Session) -> Bool { withState { $0.sessions.insert(session).inserted } }
  func end(_ session: Connection.Session) { withState { _ = $0.sessions.remove(session) } }

  /// The sessions that the next connection has to end, whichever thread opens it: its call may wait for their locks.
  var abandoned: [Connection.Session] { withState { $0.abandoned } }
  func abandon(_ session: Connection.Session) { withState { $0.abandoned = $0.abandoned.suffix(15) + [session] } }
  func forget(_ sessions: [Connection.Session]) { withState { $0.abandoned.removeAll(where: sessions.contains) } }

  /// Ends a session unless it is the only one.
  ///
  /// - Returns: whether it has ended.
  func endUnlessLast(_ session: Connection.Session) -> Bool {
    withState { $0.sessions.count > 1 && $0.sessions.remove(session) != nil }
  }

  func hasMet(_ owner: TreeOwner) -> Bool { withState { $0.owners.contains(owner.id) } }
  func didMeet(_ owner: TreeOwner) { withState { _ = $0.owners.insert(owner.id) } }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
