// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import RIBs

/// The calls that wait for a connection, and the threads that wait for calls.
final class CallQueue: Sendable {
  struct Call: Sendable {
    let isUrgent: Bool
    /// When it was made.
    var time = ContinuousClock.now
    /// When the call is not repeated any more.
    let deadline: ContinuousClock.Instant
    /// Runs it with a connection, and returns a closure that answers it.
    let run: @Sendable (AnyObject) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
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
    /// Not nil after `close`.
    var closed: (any Error)?
    var threads = 0
    var onEnd: [@Sendable () -> Void] = []
    /// The number of open connections.
    var connections = 0

    var isEmpty: Bool { urgent.isEmpty && waiting.isEmpty }

    /// Whether another call may run that is not urgent. One thread is kept free for urgent ones: all others may wait for the
    /// same, such as a replica that is away.
    private var hasPlace: Bool { running < max(threads - 1, 1) }

    /// Whether a call needs another connection: there is none, or calls wait too long.
    func needsConnection(at now: ContinuousClock.Instant = .now) -> Bool {
      connections == 0 || waited >= BusyTime.ofSecond || (firstTime.map { $0 + BusyTime.ofCall <= now } ?? false)
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
      if call.isUrgent {
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

  private let state = Locked(State())

  func append(_ call: Call) {
    let closed = state.withLock { state in
      if state.closed == nil { state.put(call, isFirst: false) }
      return state.closed
    }
    if let closed { call.fail(closed) } else { wake() }
  }

  /// Called when a call has run, before it is answered or put back.
  func didRun(_ call: Call) { if !call.isUrgent { state.withLock { $0.running -= 1 } } }

  /// Puts a call back that was not answered.
  func putBack(_ call: Call) { state.withLock { $0.put(call, isFirst: true) } }

  /// Lets another thread look for a call.
  func wake() {
    state.withLock { state in
      // One thread without a connection is enough to see that calls wait.
      state.connected.popLast() ?? (state.isWatched ? nil : state.unconnected.popLast())
    }?.signal()
  }

  /// Waits for a call.
  ///
  /// - Parameter thread: signaled when there is something to do; only for this thread, which has a connection.
  func next(_ thread: DispatchSemaphore, before end: ContinuousClock.Instant) -> Next {
    while true {
      let next: Next? = state.withLock { state in
        if let call = state.take() { return .call(call) }
        if state.closed != nil { return .closed }
        state.connected.append(thread)
        return nil
      }
      if let next { return next }
      if thread.wait(timeout: .now() + max((end - .now) / .seconds(1), 0)) == .success { continue }
      let wasWoken = state.withLock { state in
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
      let next: Next? = state.withLock { state in
        if state.needsConnection(), let call = state.take() {
          // The next one may need a connection, too.
          if !state.isEmpty { state.unconnected.popLast()?.signal() }
          return .call(call)
        }
        if state.closed != nil { return .closed }
        if let time = state.firstTime, !state.isWatched {
          state.isWatched = true
          watchesUntil = time + BusyTime.ofCall
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
      state.withLock { $0.isWatched = false }
    }
  }

  /// Called by each thread when it begins.
  func begin() { state.withLock { $0.threads += 1 } }

  /// Called by each thread when it is done.
  func end() {
    let waiters = state.withLock { state in
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
  func close(throwing error: any Error, onEnd: @escaping @Sendable () -> Void = {}) {
    let (hasEnded, idle) = state.withLock { state in
      state.closed = error
      if state.threads > 0 { state.onEnd.append(onEnd) }
      defer { (state.connected, state.unconnected) = ([], []) }
      return (state.threads == 0, state.connected + state.unconnected)
    }
    if hasEnded { onEnd() }
    for thread in idle { thread.signal() }
  }

  func didOpen() { state.withLock { $0.connections += 1 } }
  func didClose() { state.withLock { $0.connections -= 1 } }

  /// Counts a connection as closed unless it is the only one.
  ///
  /// - Returns: whether it is to be closed.
  func closesUnlessLast() -> Bool {
    state.withLock { state in
      guard state.connections > 1 else { return false }
      state.connections -= 1
      return true
    }
  }
}

/// How long calls wait before another connection is opened.
private enum BusyTime {
  /// A call that waits for a connection in use. Most calls take less.
  static let ofCall = Duration.milliseconds(5)
  /// All calls of a second together.
  static let ofSecond = Duration.milliseconds(50)
}
