internal import Foundation
internal import RIBs

/// Runs an actor on a thread of its own, which waits for sockets while there is nothing to do.
///
/// Dispatch sources would wait as well. On Linux they take the process down when they come and go as quickly as clients
/// do: https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949.
final class SocketLoop: SerialExecutor {
  /// A socket with what it is waited for; afterwards, with what it is ready for. With neither it is still noticed that the
  /// other side has gone.
  struct Interest {
    let id: Int
    let socket: Int32
    let reading: Bool
    let writing: Bool
    /// Whether the other side has closed the connection.
    var hasHungUp = false
  }

  /// What the thread waits for.
  struct Wait {
    var interests: [Interest] = []
    /// When the wait ends anyway; nil for never.
    var deadline: ContinuousClock.Instant?

    /// Ends the wait at a time, or earlier.
    mutating func atMost(until instant: ContinuousClock.Instant) { deadline = min(deadline ?? instant, instant) }
  }

  private struct State {
    var work: [@Sendable () -> Void] = []
    var thread: Thread?
    /// Whether the thread waits and has not been woken.
    var isWaiting = false
    /// Whether the thread is to take another turn before it waits.
    var isWoken = false
    var isFinished = false
  }

  private let state = Locked(State())
  /// A byte that is sent from the one to the other ends the wait. A pipe would do, but can't be kept from child processes
  /// that are started meanwhile: `pipe2` is not part of the module `Glibc` (Swift 6.3).
  private let wakeUp: (reader: Int32, writer: Int32)

  init() throws(InspectorError) {
    guard let wakeUp = SystemCalls.makeSocketPair() else {
      throw InspectorError(.socket, "A pair of sockets can't be made: \(SystemCalls.lastError).")
    }
    self.wakeUp = wakeUp
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

  /// Has the thread take a turn. Further calls before that turn have no effect.
  func wake() { wake { _ in } }

  func checkIsolated() {
    precondition(state.withLock { $0.thread } === Thread.current, "This is not the thread of the inspector.")
  }

  /// Starts the thread.
  ///
  /// - Parameter turn: called there whenever something has come or was done, with the sockets that are ready. It returns
  ///   what to wait for.
  func start(_ turn: @escaping @Sendable ([Interest]) -> Wait) {
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
      state.isWoken = true
      guard state.isWaiting else { return }
      state.isWaiting = false
      // Under the lock, because a socket may have woken the thread: it would do the work, which may be what keeps this.
      // If there is no room for the byte, the thread is about to be woken.
      _ = write(wakeUp.writer, [1], 1)
    }
  }

  // MARK: On the thread

  /// - Returns: whether there may be more to come.
  private func doWork() -> Bool {
    while true {
      let (work, isFinished) = state.withLock { state in
        defer { state.work = [] }
        // Whoever wakes the thread from now on does so before the turn, or for another one.
        state.isWoken = false
        return (state.work, state.isFinished)
      }
      if work.isEmpty { return !isFinished }
      for work in work { work() }
    }
  }

  /// Waits until a socket is ready, there is work, or the time is over.
  private func wait(for wait: Wait) -> [Interest] {
    let mayWait = state.withLock { state in
      state.isWaiting = !state.isWoken && !state.isFinished
      return state.isWaiting
    }
    let interests = wait.interests
    var polled = interests.map { interest in
      pollfd(
        fd: interest.socket, events: Int16((interest.reading ? POLLIN : 0) | (interest.writing ? POLLOUT : 0)),
        revents: 0)
    }
    polled.append(pollfd(fd: wakeUp.reader, events: Int16(POLLIN), revents: 0))
    let count = poll(&polled, .init(polled.count), mayWait ? SocketLoop.milliseconds(until: wait.deadline) : 0)
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
        writing: interest.writing && (hasFailed || polled.revents & Int16(POLLOUT) != 0),
        hasHungUp: SocketLoop.hasHungUp(polled.revents))
    }
  }

  /// - Returns: negative for a wait without an end; never too short.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = (deadline - .now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(min(seconds, 1_000_000)) * 1_000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Darwin reports the same of a client that only has nothing more to send.
  private static func hasHungUp(_ events: Int16) -> Bool {
    #if canImport(Darwin)
      false
    #else
      events & Int16(POLLHUP | POLLERR) != 0
    #endif
  }
}
