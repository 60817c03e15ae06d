// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Where the bytes of a recording go.
protocol RecordingOutput: AnyObject, Sendable {
  /// Writes all bytes at an offset.
  func write(_ bytes: [UInt8], at offset: Int) throws(InspectorError)
}

/// A file that a recording is written to.
final class RecordingFile: RecordingOutput {
  private let path: String
  private let descriptor: Int32

  /// Creates the file, or empties it. Only its owner can read it afterwards. A symbolic link is refused: another user may
  /// have made it, and it may lead to any file of this one. So is a file that another recorder is writing.
  init(_ path: String) throws(InspectorError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw RecordingFile.unwritable(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    // A file system without locks fails with another error. The file is written there without one.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw RecordingFile.unwritable(
        path, "another inspector, of this process or another, is writing it; pass another path")
    }
    // An existing file keeps its mode when it is opened. Nothing is written while others may read it.
    guard status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
      throw RecordingFile.unwritable(path)
    }
  }

  /// - Parameter reason: why it can't be written; nil for the reason of the last failed call.
  private static func unwritable(_ path: String, _ reason: String? = nil) -> InspectorError {
    let reason =
      reason
      ?? (errno == ELOOP
        ? "it is a symbolic link, whose target would be replaced; pass the path of the file" : SystemCalls.lastError)
    return InspectorError(.recording, "The recording \(path) can't be written: \(reason).")
  }

  deinit {
    // Closing alone would leave the lock to a child process that has yet to close its copy of the descriptor.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(InspectorError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written, off_t(offset + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw InspectorError(.recording, "The recording \(path) can't be continued: \(SystemCalls.lastError).")
      }
      written += count
    }
  }
}
