internal import Dispatch
internal import Foundation
internal import Synchronization

/// Listens to the signals that end a program.
///
/// The first one is told, so that the program can end in order; the second one ends the process at once.
public final class Interrupts: Sendable {
  private let first = Atomic<Int32>(0)

  /// Begins to listen.
  ///
  /// - Parameter onFirst: called with the first interrupt, on some thread.
  public init(onFirst: @escaping @Sendable () -> Void) {
    // Written into a pipe that nobody reads, output is dropped: that is no reason to die.
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // The handler keeps its source: both stay until the process ends.
      source.setEventHandler { [self] in
        let isFirst = first.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing).exchanged
        guard isFirst, source.data == 1 else { _exit(128 + number) }
        onFirst()
      }
      source.activate()
    }
  }

  /// The exit status of an interrupted program; nil if there was no interrupt.
  public var exitStatus: Int32? {
    let number = first.load(ordering: .acquiring)
    return number == 0 ? nil : 128 + number
  }
}
