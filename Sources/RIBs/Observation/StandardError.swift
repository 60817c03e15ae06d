#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Writes a text to standard error in one piece, without a buffer.
///
/// A tree must not wait for the reader of its messages: where standard error takes nothing now, as a terminal that was
/// stopped or a full pipe, the text is discarded.
func writeToStandardError(_ text: String) {
  var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
  guard poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLOUT) != 0 else { return }
  var text = text
  text.withUTF8 { bytes in
    // There is no other place to report that standard error is closed.
    _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}
