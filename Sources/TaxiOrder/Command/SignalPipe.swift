internal import Foundation

/// Takes signals out of their handler, in which next to nothing is allowed, to a thread that waits for them.
///
/// A dispatch source would do the same, but on Linux (Swift 6.3) it misses signals that come while the main thread has
/// nothing to do.
struct SignalPipe: Sendable {
  /// The one of this process. Made before a handler uses it.
  static let shared = SignalPipe()

  let reading: Int32
  private let writing: Int32

  private init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    // Above the standard streams, which may be closed: what is written to them is no signal.
    ends = ends.map { end in
      let moved = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      close(end)
      return moved
    }
    (reading, writing) = (ends[0], ends[1])
    // A handler must not wait, even if nothing is read.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
  }

  /// Called in a signal's handler.
  func write(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = Foundation.write(writing, &byte, 1)
    errno = before
  }

  /// Waits for the next signal; nil if there will be none.
  static func read(from descriptor: Int32) -> Int32? {
    var byte: UInt8 = 0
    while true {
      let count = Foundation.read(descriptor, &byte, 1)
      if count == 1 { return Int32(byte) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}
