internal import Foundation

/// Listens to the signals that end a program.
///
/// The first one is told, so that the program can end in order; the second one ends the process at once.
public final class Interrupts: Sendable {
  private struct State {
    var first: Int32?
    var tell: (@Sendable () -> Void)?
    var quit: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  /// Begins to listen.
  public init() {
    // Written into a pipe that nobody reads, output is refused: that is reported, and no reason to die.
    signal(SIGPIPE, SIG_IGN)
    let incoming = SignalPipe.shared.reading
    for number in [SIGINT, SIGTERM] { signal(number) { SignalPipe.shared.write($0) } }
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
  /// - Parameter quit: called on some thread. It must wait for nobody.
  public func beforeQuitting(_ quit: @escaping @Sendable () -> Void) { state.withLock { $0.quit = quit } }

  /// The exit status of an interrupted program; nil if there was no interrupt.
  public var exitStatus: Int32? { state.withLock { $0.first }.map { 128 + $0 } }

  private func receive(_ number: Int32) {
    let (isFirst, react) = state.withLock { state in
      let isFirst = state.first == nil
      if isFirst { state.first = number }
      return (isFirst, isFirst ? state.tell : state.quit)
    }
    react?()
    if !isFirst { _exit(128 + number) }
  }
}
