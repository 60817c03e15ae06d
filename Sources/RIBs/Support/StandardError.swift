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

/// Writes a text to standard error in one call, without a buffer.
///
/// Never blocks the tree: if standard error is not writable now, as with a stopped terminal or a full pipe, the text is
/// discarded.
package func writeToStandardError(_ text: String) {
  var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
  guard poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLOUT) != 0 else { return }
  var text = text
  text.withUTF8 { bytes in
    // The error is ignored: there is no other place to report that standard error is closed.
    _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}
