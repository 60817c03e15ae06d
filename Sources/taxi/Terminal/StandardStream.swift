// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import Foundation
internal import Synchronization

/// Standard output or standard error of the process.
///
/// The reader may be gone, or a disk full. After the first failure nothing is written, and the reason is kept.
final class StandardStream: Sendable {
  /// How long a terminal may accept nothing after the program was interrupted.
  private static let stallTimeout = Duration.seconds(1)

  private let descriptor: Int32
  private let isTerminal: Bool
  private let isAbandonable = Atomic(false)
  private let firstFailure = Locked<String?>(nil)

  init(_ descriptor: Int32) {
    isTerminal = isatty(descriptor) == 1
    self.descriptor = isTerminal ? StandardStream.withoutBlocking(descriptor) : descriptor
  }

  /// Opens the terminal again for non-blocking writes. Setting the flag on the inherited descriptor would change it
  /// for the shell too.
  ///
  /// - Returns: the new descriptor; the same one if the terminal has no name.
  private static func withoutBlocking(_ terminal: Int32) -> Int32 {
    guard let name = ttyname(terminal) else { return terminal }
    let opened = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return opened >= 0 ? opened : terminal
  }

  /// Why writing failed; nil if it did not.
  var failure: String? { firstFailure.withLock { $0 } }

  /// Writes a whole text. Blocks while the reader is slow.
  func write(_ text: String) {
    firstFailure.withLock { failure in
      guard failure == nil else { return }
      failure = writeAll(text)
    }
  }

  /// From now on, discards output that a terminal does not accept for a second: it may have been stopped by Ctrl-S.
  /// Other readers are still waited for.
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

  /// Waits until the descriptor accepts output.
  ///
  /// - Returns: why waiting was abandoned; nil if it was not.
  private func waitForRoom() -> String? {
    let start = ContinuousClock.now
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&request, 1, 100) <= 0 {
      if isAbandonable.load(ordering: .relaxed), ContinuousClock.now - start >= StandardStream.stallTimeout {
        return "the terminal is stopped"
      }
    }
    return nil
  }

  /// Opens the null device for each closed standard stream. Otherwise the next opened file would get its number, and
  /// text written to that stream.
  static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number, because all lower ones are open.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
