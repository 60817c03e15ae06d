// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Passes signals from their handler to a thread.
///
/// A dispatch source would do the same, but on Linux (Swift 6.3) it misses signals that arrive while the main thread
/// is idle.
struct SignalPipe: Sendable {
  /// The pipe of this process. Created before a handler uses it.
  static let shared = SignalPipe()

  let reading: Int32
  private let writing: Int32

  private init() {
    var ends: [Int32] = [-1, -1]
    // Sockets, because `pipe2` is not part of the module `Glibc` (Swift 6.3): a child process must not inherit either end.
    #if canImport(Glibc)
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    #elseif canImport(Darwin)
      // Darwin can't set the flag at creation: a process that is forked until the next lines inherits both ends.
      socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
    #else
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, &ends)
    #endif
    // Above the standard streams, which may be closed: text written to them must not reach the pipe.
    ends = ends.map { end in
      let moved = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      close(end)
      return moved
    }
    (reading, writing) = (ends[0], ends[1])
    // A handler must not block, even if the pipe is full.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
  }

  /// Writes a signal number. Async-signal-safe: called in signal handlers.
  func write(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = Foundation.write(writing, &byte, 1)
    errno = before
  }

  /// Waits for the next signal; nil after the end of the pipe.
  static func read(from descriptor: Int32) -> Int32? {
    var byte: UInt8 = 0
    while true {
      let count = Foundation.read(descriptor, &byte, 1)
      if count == 1 { return Int32(byte) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}
