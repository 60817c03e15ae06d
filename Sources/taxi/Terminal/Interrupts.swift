// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import Dispatch
internal import Foundation

/// Handles the signals that terminate or suspend a program.
///
/// The first termination signal is reported, so that the program can shut down; the second ends the process at once.
/// Callbacks before the process ends or is suspended have one second, because they may write to a terminal that is
/// stopped.
final class Interrupts: Sendable {
  private struct State {
    var first: Int32?
    var onFirst: (@Sendable () -> Void)?
    var quit: (@Sendable () -> Void)?
    var stop: (@Sendable () -> Void)?
    var resume: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  /// The queue of the callbacks around suspensions.
  private let stops = DispatchQueue(label: "taxi.interrupts")

  /// Installs the signal handlers.
  init() {
    // Writing to a closed pipe must fail with an error, not end the process.
    signal(SIGPIPE, SIG_IGN)
    let incoming = SignalPipe.shared.reading
    for number in [SIGINT, SIGTERM] { signal(number, Interrupts.forward) }
    Thread.detachNewThread { [self] in
      while let number = SignalPipe.read(from: incoming) { receive(number) }
    }
  }

  /// Sets the callback for the first signal. Called at once if that has already arrived.
  ///
  /// - Parameter onFirst: called on any thread.
  func onFirst(_ onFirst: @escaping @Sendable () -> Void) {
    let hasArrived = state.withLock { state in
      state.onFirst = onFirst
      return state.first != nil
    }
    if hasArrived { onFirst() }
  }

  /// Sets the callback that runs before the second signal ends the process.
  ///
  /// - Parameter quit: called on any thread. The process ends after one second even if it has not returned.
  func beforeExit(_ quit: @escaping @Sendable () -> Void) { state.withLock { $0.quit = quit } }

  /// Sets the callbacks around a suspension, such as by Ctrl-Z.
  ///
  /// If the process was started with `SIGTSTP` ignored, the signal stays ignored.
  ///
  /// - Parameters:
  ///   - stop: called on any thread. The process is suspended after one second even if it has not returned.
  ///   - resume: called on any thread after `stop` has returned, when the process is resumed.
  func aroundSuspension(_ stop: @escaping @Sendable () -> Void, _ resume: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.stop = stop
      state.resume = resume
    }
    let before = signal(SIGTSTP, Interrupts.forward)
    // `SIG_IGN` is the number 1, not the address of a function.
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGTSTP, SIG_IGN) }
  }

  /// The exit status after a termination signal; nil if there was none.
  var exitStatus: Int32? { state.withLock { $0.first }.map { 128 + $0 } }

  private static let forward: @convention(c) (Int32) -> Void = { SignalPipe.shared.write($0) }

  private func receive(_ number: Int32) {
    if number == SIGTSTP { return stop() }
    let (isFirst, react) = state.withLock { state in
      let isFirst = state.first == nil
      if isFirst { state.first = number }
      return (isFirst, isFirst ? state.onFirst : state.quit)
    }
    if isFirst {
      react?()
    } else {
      if let react { Interrupts.call(react, on: .global()) }
      _exit(128 + number)
    }
  }

  /// Calls a function, and waits for it for at most one second.
  private static func call(_ function: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
    let hasReturned = DispatchSemaphore(value: 0)
    queue.async {
      function()
      hasReturned.signal()
    }
    _ = hasReturned.wait(timeout: .now() + .seconds(1))
  }

  /// Suspends the process with the signal's default action, and waits until it is resumed.
  private func stop() {
    let (stop, resume) = state.withLock { ($0.stop, $0.resume) }
    if let stop { Interrupts.call(stop, on: stops) }
    signal(SIGTSTP, SIG_DFL)
    // The parent process may have blocked the signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // Raised on this thread, which continues only after the suspension.
    raise(SIGTSTP)
    signal(SIGTSTP, Interrupts.forward)
    if let resume { stops.async(execute: resume) }
  }
}
