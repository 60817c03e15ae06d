internal import Foundation

/// One of the streams that a process writes to.
///
/// Whoever reads it may go, and a disk may be full. Nothing is written after that, and the reason is kept.
final class StandardStream: Sendable {
  private let descriptor: Int32
  private let firstFailure = Guarded<String?>(nil)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Why something could not be written; nil if all was.
  var failure: String? { firstFailure.withLock { $0 } }

  /// Writes all of a text.
  func write(_ text: String) {
    firstFailure.withLock { failure in
      guard failure == nil else { return }
      failure = writeAll(text)
    }
  }

  private func writeAll(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
        guard count >= 0 || errno == EINTR else { return String(cString: strerror(errno)) }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
      }
      return nil
    }
  }
}
