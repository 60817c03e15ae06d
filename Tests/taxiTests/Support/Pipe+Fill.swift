// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Pipe {
  /// Writes until the pipe is full.
  ///
  /// - Returns: the number of bytes written.
  @discardableResult
  func fill() throws -> Int {
    let descriptor = fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    let zeros = [UInt8](repeating: 0, count: 4_096)
    var count = 0
    for size in [zeros.count, 1] {
      while true {
        let written = write(descriptor, zeros, size)
        guard written > 0 else { break }
        count += written
      }
    }
    return count
  }
}
