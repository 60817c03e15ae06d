// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TaxiOrder

/// A source of a file's bytes.
package protocol ByteSource {
  /// The available bytes; empty at the end.
  func read() throws -> [UInt8]
}

/// Reads a file, or standard input.
///
/// A read blocks the thread, but polls the task for cancellation.
package final class FileSource: ByteSource {
  private static let chunkSize = 1 << 16

  private let file: FileHandle

  /// - Parameter path: the file; `-` for standard input.
  /// - Throws: `TripFileError.unreadable`.
  package init(path: String) throws {
    guard path != "-" else {
      file = .standardInput
      return
    }
    // Non-blocking: opening a FIFO would otherwise block until there is a writer, without reacting to signals.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileSource.failure }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  package func read() throws -> [UInt8] {
    let descriptor = file.fileDescriptor
    while true {
      try waitForInput(descriptor)
      var result = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: FileSource.chunkSize) { buffer, count in
        result = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        count = max(0, result)
      }
      if result >= 0 { return bytes }
      // Another process may have read the available input.
      guard [EINTR, EAGAIN, EWOULDBLOCK].contains(errno) else { throw FileSource.failure }
    }
  }

  private func waitForInput(_ descriptor: Int32) throws {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      try Task.checkCancellation()
      let ready = poll(&request, 1, 100)
      guard ready == 0 || (ready < 0 && errno == EINTR) else { return }
    }
  }

  private static var failure: TripFileError { .unreadable(String(cString: strerror(errno))) }
}
