import Dispatch
import Synchronization

/// The calls that wait for the thread of a store.
final class CallQueue: Sendable {
  struct Call: Sendable {
    /// Runs the call in a transaction. Returns a closure that answers it, to be called when that is committed.
    let run: @Sendable (SQLiteDatabase) throws -> @Sendable () -> Void
    /// Answers the call with an error.
    let fail: @Sendable (any Error) -> Void
  }

  private struct State {
    var waiting: [Call] = []
    var isClosed = false
    var hasEnded = false
    var onEnd: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  /// Signaled once for each call, and at the end.
  private let signal = DispatchSemaphore(value: 0)

  func append(_ call: Call) {
    let isClosed = withState { state in
      if !state.isClosed { state.waiting.append(call) }
      return state.isClosed
    }
    if isClosed { call.fail(SQLiteError(path: "", code: 0, message: "The store was closed before this call")) }
    signal.signal()
  }

  /// Waits for calls, and takes all of them up to a limit.
  ///
  /// - Returns: nil if the queue is closed and all calls were taken.
  func next(limit: Int) -> [Call]? {
    while true {
      let (calls, isClosed) = withState { state in
        let calls = Array(state.waiting.prefix(limit))
        state.waiting.removeFirst(calls.count)
        return (calls, state.isClosed)
      }
      if !calls.isEmpty { return calls }
      if isClosed { return nil }
      signal.wait()
    }
  }

  /// Refuses calls from now on.
  ///
  /// - Parameter onEnd: called when the calls before are answered, and the thread is done.
  func close(onEnd: @escaping @Sendable () -> Void = {}) {
    let hasEnded = withState { state in
      state.isClosed = true
      if !state.hasEnded { state.onEnd.append(onEnd) }
      return state.hasEnded
    }
    if hasEnded { onEnd() }
    signal.signal()
  }

  /// Called by the thread when it is done.
  func end() {
    let waiters = withState { state in
      state.hasEnded = true
      return state.onEnd
    }
    for waiter in waiters { waiter() }
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
