internal import Foundation
internal import Synchronization

/// A stream that a process writes to: standard output or standard error.
///
/// The reader may be gone, and a disk may be full. Nothing is written after that, and the reason is kept.
final class StandardStream: Sendable {
  /// How long a terminal may take nothing, once the program has been interrupted.
  private static let patience = Duration.seconds(1)

  private let descriptor: Int32
  private let isTerminal: Bool
  private let isAbandonable = Atomic(false)
  private let firstFailure = Guarded<String?>(nil)

  init(_ descriptor: Int32) {
    isTerminal = isatty(descriptor) == 1
    self.descriptor = isTerminal ? StandardStream.withoutBlocking(descriptor) : descriptor
  }

  /// Opens a terminal once more, so that writing to it does not block. The flag belongs to what was opened: set on the
  /// descriptor itself it would change the terminal for the shell as well.
  ///
  /// - Returns: the new descriptor; the same one if the terminal has no name here.
  private static func withoutBlocking(_ terminal: Int32) -> Int32 {
    guard let name = ttyname(terminal) else { return terminal }
    let opened = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return opened >= 0 ? opened : terminal
  }

  /// Why something could not be written; nil if all was.
  var failure: String? { firstFailure.withLock { $0 } }

  /// Writes all of a text, however slowly it is read.
  func write(_ text: String) {
    firstFailure.withLock { failure in
      guard failure == nil else { return }
      failure = writeAll(text)
    }
  }

  /// Gives up on output that a terminal does not take for a second, from now on: it may have been stopped by Ctrl-S. Other
  /// readers are still waited for.
  func abandonStalledOutput() { isAbandonable.store(isTerminal, ordering: .relaxed) }

  private func writeAll(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        if isTerminal, let failure = waitForRoom() { return failure }
        let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno == EAGAIN || errno == EWOULDBLOCK {
          if let failure = waitForRoom() { return failure }
        } else if errno != EINTR {
          return String(cString: strerror(errno))
        }
      }
      return nil
    }
  }

  /// Waits until something can be written.
  ///
  /// - Returns: why the wait is over before; nil if it is not.
  private func waitForRoom() -> String? {
    let start = ContinuousClock.now
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&request, 1, 100) <= 0 {
      if isAbandonable.load(ordering: .relaxed), ContinuousClock.now - start >= StandardStream.patience {
        return "the terminal is stopped"
      }
    }
    return nil
  }

  /// Opens the null device in the place of each standard stream that this process was started without. Otherwise the next
  /// file that is opened gets its number, and whatever is written to the stream.
  static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free: all before it are open.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
