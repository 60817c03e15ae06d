internal import Dispatch
internal import Foundation

/// Waits for termination signals.
struct Termination: Sendable {
  private let stream: AsyncStream<Void>
  private let flag = Flag()

  /// Installs the handlers. From now on the signals don't end the process.
  init() {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    self.stream = stream
    let numbers = [SIGTERM, SIGINT]
    let installed = DispatchSemaphore(value: 0)
    for number in numbers {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // The handler keeps its source until the process ends.
      source.setEventHandler { [flag] in
        withExtendedLifetime(source) {
          flag.raise()
          continuation.finish()
        }
      }
      source.setRegistrationHandler { installed.signal() }
      source.activate()
    }
    // Until then the signals are ignored, and one that came would be lost.
    for _ in numbers { installed.wait() }
  }

  /// Whether a signal has arrived.
  var hasCome: Bool { flag.isRaised }

  /// Returns when a signal has arrived.
  func wait() async { for await _ in stream {} }
}
