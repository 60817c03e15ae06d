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
func writeToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    // Nobody is left to be told when standard error is closed.
    _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}
