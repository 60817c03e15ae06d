// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Writes a text to standard error without a buffer, in one call unless it is long.
///
/// Never blocks the tree, and never ends the process: if standard error is not writable now, as with a stopped terminal or
/// a full pipe, or has no reader any more, the rest of the text is discarded.
package func writeToStandardError(_ text: String) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty, standardErrorIsWritable() {
    // A pipe that is writable takes as many bytes without blocking.
    let piece = Array(rest.prefix(Int(PIPE_BUF)))
    let count = write(STDERR_FILENO, piece, piece.count)
    // The error is ignored: there is no other place to report that standard error is closed.
    if count <= 0 { return }
    rest = rest.dropFirst(count)
  }
}

/// Whether a write would succeed now. A pipe without a reader is writable too, but the write would end the process.
private func standardErrorIsWritable() -> Bool {
  var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
  return poll(&descriptor, 1, 0) == 1 && descriptor.revents == Int16(POLLOUT)
}
