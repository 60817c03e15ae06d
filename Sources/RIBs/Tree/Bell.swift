#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Wakes a thread that has nothing to do: a pipe, as the library has nothing else that a thread can wait for and that can
/// be shared without a lock.
struct Bell: Sendable {
  private let reader: Int32
  private let writer: Int32

  /// Nil if no more files can be opened.
  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    (reader, writer) = (ends[0], ends[1])
    // A program that this process starts has no use for it.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Lets one `wait` return: the one that is under way, or the next.
  func ring() {
    var byte: UInt8 = 0
    while write(writer, &byte, 1) < 0, errno == EINTR {}
  }

  /// Holds up the thread until the bell rings.
  func wait() {
    var byte: UInt8 = 0
    while read(reader, &byte, 1) < 0, errno == EINTR {}
  }

  /// Gives the files back. Nobody rings or waits any more.
  func remove() {
    close(reader)
    close(writer)
  }
}
