// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Runs an actor on its own thread, which polls sockets while idle.
///
/// Dispatch sources are not used: on Linux they crash the process when they are created and cancelled as quickly as
/// clients connect and disconnect (https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949).
final class SocketLoop: SerialExecutor {
  /// A socket with the events to poll for; in results, with the events that occurred. A hang-up is reported in either
  /// case.
  struct Interest {
    let id: Int
    let socket: Int32
    let reading: Bool
    let writing: Bool
    /// Whether the peer has closed the connection.
    var hasHungUp = false
  }

  /// What the thread waits for.
  struct Wait {
    var interests: [Interest] = []
    /// When the wait ends at the latest; nil for no limit.
    var deadline: ContinuousClock.Instant?

    /// Ends the wait no later than an instant.
    mutating func atMost(until instant: ContinuousClock.Instant) { deadline = min(deadline ?? instant, instant) }
  }

  private struct State {
    var work: [@Sendable () -> Void] = []
    var thread: Thread?
    /// Whether the thread is waiting and has not been woken.
    var isWaiting = false
    /// Whether the thread must run another turn before it waits.
    var isWoken = false
    var isFinished = false
  }

  private let state = Locked(State())
  /// A byte sent from `writer` to `reader` ends the wait. A pipe would be inherited by child processes started
  /// meanwhile: `pipe2` is not part of the module `Glibc` (Swift 6.3).
  private let wakeUp: (reader: Int32, writer: Int32)

  init() throws(InspectorError) {
    guard let wakeUp = SystemCalls.makeSocketPair() else {
      throw InspectorError(.socket, "A socket pair can't be created: \(SystemCalls.lastError).")
    }
    self.wakeUp = wakeUp
  }

  deinit {
    close(wakeUp.reader)
    close(wakeUp.writer)
  }

  // MARK: Callable from any thread

  /// Enqueues work for the thread, in FIFO order.
  func later(_ work: @escaping @Sendable () -> Void) {
    wake { $0.work.append(work) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    later { [unowned self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Makes the thread run a turn. Further calls before that turn have no effect.
  func wake() { wake { _ in } }

  func checkIsolated() {
    precondition(state.withLock { $0.thread } === Thread.current, "This is not the thread of the inspector.")
  }

  /// Starts the thread.
  ///
  /// - Parameter turn: called on the thread after sockets became ready or work was done, with the ready sockets.
  ///   Returns what to wait for.
  func start(_ turn: @escaping @Sendable ([Interest]) -> Wait) {
    SystemCalls.startThread(named: "ribs.inspector") { [self] in
      state.withLock { $0.thread = Thread.current }
      var ready: [Interest] = []
      while doWork() { ready = wait(for: turn(ready)) }
    }
  }

  /// Ends the thread after all enqueued work.
  func finish() { wake { $0.isFinished = true } }

  private func wake(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.isWoken = true
      guard state.isWaiting else { return }
      state.isWaiting = false
      // Written under the lock: a socket may have woken the thread meanwhile, and its work may release this object.
      // If the buffer is full, the thread is about to wake anyway.
      _ = write(wakeUp.writer, [1], 1)
    }
  }

  // MARK: On the thread

  /// - Returns: whether the loop continues.
  private func doWork() -> Bool {
    while true {
      let (work, isFinished) = state.withLock { state in
        defer { state.work = [] }
        // A `wake` after this needs another turn.
        state.isWoken = false
        return (state.work, state.isFinished)
      }
      if work.isEmpty { return !isFinished }
      for work in work { work() }
    }
  }

  /// Waits until a socket is ready, work is enqueued, or the deadline passes.
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
      // Report errors as readiness: the next call on the socket returns the error.
      let hasFailed = polled.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
      return Interest(
        id: interest.id, socket: interest.socket,
        reading: interest.reading && (hasFailed || polled.revents & Int16(POLLIN) != 0),
        writing: interest.writing && (hasFailed || polled.revents & Int16(POLLOUT) != 0),
        hasHungUp: SocketLoop.hasHungUp(polled.revents))
    }
  }

  /// - Returns: negative for no limit. Rounded up, so that the wait is never too short.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = (deadline - .now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(min(seconds, 1_000_000)) * 1_000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// On Darwin, `POLLHUP` is also reported for a peer that has only shut down its sending side.
  private static func hasHungUp(_ events: Int16) -> Bool {
    #if canImport(Darwin)
      false
    #else
      events & Int16(POLLHUP | POLLERR) != 0
    #endif
  }
}
