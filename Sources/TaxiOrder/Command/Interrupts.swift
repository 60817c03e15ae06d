internal import Dispatch
internal import Foundation

/// Listens to the signals that end a program, and to the one that stops it for a while.
///
/// The first one that ends it is reported, so that the program can end in order; the second one ends the process at once.
/// What is called before the process ends or stops gets a second for it: it may write to a terminal that takes nothing.
public final class Interrupts: Sendable {
  private struct State {
    var first: Int32?
    var tell: (@Sendable () -> Void)?
    var quit: (@Sendable () -> Void)?
    var stop: (@Sendable () -> Void)?
    var goOn: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())
  /// Where the functions are called around stops, in order.
  private let stops = DispatchQueue(label: "taxi.interrupts")

  /// Begins to listen.
  public init() {
    // Written into a pipe that nobody reads, output is refused: that is reported, and no reason to die.
    signal(SIGPIPE, SIG_IGN)
    let incoming = SignalPipe.shared.reading
    for number in [SIGINT, SIGTERM] { signal(number, Interrupts.passOn) }
    Thread.detachNewThread { [self] in
      while let number = SignalPipe.read(from: incoming) { receive(number) }
    }
  }

  /// Says what to do about the first interrupt; it is done at once if that has come already.
  ///
  /// - Parameter tell: called on some thread.
  public func onFirst(_ tell: @escaping @Sendable () -> Void) {
    let hasCome = state.withLock { state in
      state.tell = tell
      return state.first != nil
    }
    if hasCome { tell() }
  }

  /// Says what has to be done before the second interrupt ends the process.
  ///
  /// - Parameter quit: called on some thread. The process ends a second later, also if it has not returned.
  public func beforeQuitting(_ quit: @escaping @Sendable () -> Void) { state.withLock { $0.quit = quit } }

  /// Says what has to be done before the program stops for a while, as by Ctrl-Z, and when it goes on.
  ///
  /// A program that was started so that it is not stopped is not stopped.
  ///
  /// - Parameters:
  ///   - stop: called on some thread. The process stops a second later, also if it has not returned.
  ///   - goOn: called on some thread after `stop` has returned, when the process goes on.
  public func aroundStops(_ stop: @escaping @Sendable () -> Void, _ goOn: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.stop = stop
      state.goOn = goOn
    }
    let before = signal(SIGTSTP, Interrupts.passOn)
    // The handler that ignores a signal has no address that could be called: it is the number 1.
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGTSTP, SIG_IGN) }
  }

  /// The exit status of an interrupted program; nil if there was no interrupt.
  public var exitStatus: Int32? { state.withLock { $0.first }.map { 128 + $0 } }

  private static let passOn: @convention(c) (Int32) -> Void = { SignalPipe.shared.write($0) }

  private func receive(_ number: Int32) {
    if number == SIGTSTP { return stop() }
    let (isFirst, react) = state.withLock { state in
      let isFirst = state.first == nil
      if isFirst { state.first = number }
      return (isFirst, isFirst ? state.tell : state.quit)
    }
    if isFirst {
      react?()
    } else {
      if let react { Interrupts.call(react, on: .global()) }
      _exit(128 + number)
    }
  }

  /// Calls a function, and waits for it no longer than a second.
  private static func call(_ function: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
    let hasReturned = DispatchSemaphore(value: 0)
    queue.async {
      function()
      hasReturned.signal()
    }
    _ = hasReturned.wait(timeout: .now() + .seconds(1))
  }

  /// Stops this process as the signal would have done by itself, and waits until it goes on.
  private func stop() {
    let (stop, goOn) = state.withLock { ($0.stop, $0.goOn) }
    if let stop { Interrupts.call(stop, on: stops) }
    signal(SIGTSTP, SIG_DFL)
    // Whoever started this program may have blocked the signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // To this thread, which goes no further before the process has stopped.
    raise(SIGTSTP)
    signal(SIGTSTP, Interrupts.passOn)
    if let goOn { stops.async(execute: goOn) }
  }
}
