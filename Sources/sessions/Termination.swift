internal import Dispatch
internal import Foundation

/// Waits for the signals that ask a process to end.
struct Termination: Sendable {
  private let stream: AsyncStream<Void>
  private let flag = Flag()

  /// Begins to listen: from now on the signals do not end the process by themselves.
  init() {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    self.stream = stream
    for number in [SIGTERM, SIGINT] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // The handler keeps its source until the process ends.
      source.setEventHandler { [flag] in
        withExtendedLifetime(source) {
          flag.raise()
          continuation.finish()
        }
      }
      source.activate()
    }
  }

  /// Whether one of the signals has come.
  var hasCome: Bool { flag.isRaised }

  /// Returns when one of the signals has come.
  func wait() async { for await _ in stream {} }
}
