internal import Foundation
internal import RIBs

/// Runs an actor on a thread of its own, which waits for sockets while there is nothing to do.
///
/// Dispatch sources would wait as well. On Linux they take the process down when they come and go as quickly as clients
/// do: https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949.
final class SocketLoop: SerialExecutor {
  /// A socket with what it is waited for; afterwards, with what it is ready for.
  struct Interest {
    let id: Int
    let socket: Int32
    let reading: Bool
    let writing: Bool
  }

  private struct State {
    var work: [@Sendable () -> Void] = []
    var thread: Thread?
    /// Whether the thread waits and has not been woken.
    var isWaiting = false
    var isFinished = false
  }

  private let state = Locked(State())
  /// A byte in this pipe ends the wait.
  private let wakeUp: (reader: Int32, writer: Int32)

  init() throws(InspectorError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw InspectorError(.socket, "A pipe can't be made: \(SystemCalls.lastError).")
    }
    wakeUp = (ends[0], ends[1])
    for end in ends {
      SystemCalls.prepare(end)
      SystemCalls.setNonblocking(end)
    }
  }

  deinit {
    close(wakeUp.reader)
    close(wakeUp.writer)
  }

  // MARK: From anywhere

  /// Does something on the thread, after all that was to be done before.
  func later(_ work: @escaping @Sendable () -> Void) {
    wake { $0.work.append(work) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    later { [unowned self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    precondition(state.withLock { $0.thread } === Thread.current, "This is not the thread of the inspector.")
  }

  /// Starts the thread.
  ///
  /// - Parameter turn: called there whenever something has come or was done, with the sockets that are ready. It returns
  ///   those to wait for.
  func start(_ turn: @escaping @Sendable ([Interest]) -> [Interest]) {
    let thread = Thread { [self] in
      state.withLock { $0.thread = Thread.current }
      var ready: [Interest] = []
      while doWork() { ready = wait(for: turn(ready)) }
    }
    thread.name = "ribs.inspector"
    thread.start()
  }

  /// Ends the thread when it has done what there is to do.
  func finish() { wake { $0.isFinished = true } }

  private func wake(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      guard state.isWaiting else { return }
      state.isWaiting = false
      // Under the lock, because a socket may have woken the thread: it would do the work, which may be what keeps this.
      // If the pipe is full, the thread is about to be woken.
      _ = write(wakeUp.writer, [1], 1)
    }
  }

  // MARK: On the thread

  /// - Returns: whether there may be more to come.
  private func doWork() -> Bool {
    while true {
      let (work, isFinished) = state.withLock { state in
        defer { state.work = [] }
        return (state.work, state.isFinished)
      }
      if work.isEmpty { return !isFinished }
      for work in work { work() }
    }
  }

  /// Waits until a socket is ready or there is work.
  private func wait(for interests: [Interest]) -> [Interest] {
    let mayWait = state.withLock { state in
      state.isWaiting = state.work.isEmpty && !state.isFinished
      return state.isWaiting
    }
    var polled = interests.map { interest in
      pollfd(
        fd: interest.socket, events: Int16((interest.reading ? POLLIN : 0) | (interest.writing ? POLLOUT : 0)),
        revents: 0)
    }
    polled.append(pollfd(fd: wakeUp.reader, events: Int16(POLLIN), revents: 0))
    let count = poll(&polled, .init(polled.count), mayWait ? -1 : 0)
    state.withLock { $0.isWaiting = false }
    guard count > 0 else { return [] }
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(wakeUp.reader, &bytes, 16) > 0 {}
    return zip(interests, polled).compactMap { interest, polled in
      guard polled.revents != 0 else { return nil }
      // What has gone wrong is told by the call that meets it.
      let hasFailed = polled.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
      return Interest(
        id: interest.id, socket: interest.socket,
        reading: interest.reading && (hasFailed || polled.revents & Int16(POLLIN) != 0),
        writing: interest.writing && (hasFailed || polled.revents & Int16(POLLOUT) != 0))
    }
  }
}
