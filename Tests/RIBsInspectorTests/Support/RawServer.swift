// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A server that answers each line as a test says, in place of an inspector.
final class RawServer: Sendable {
  let path: String
  private let socket: Int32

  /// - Parameter answer: returns the answer to a request; nil to close the connection.
  init(_ path: String, _ answer: @escaping @Sendable (String) -> String?) throws {
    self.path = path
    socket = try unixSocket(path, bind)
    guard listen(socket, 8) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    Thread.detachNewThread { [socket] in
      while true {
        let client = accept(socket, nil, nil)
        guard client >= 0 else { return }
        Thread.detachNewThread {
          let handle = FileHandle(fileDescriptor: client, closeOnDealloc: true)
          let reader = LineReader(handle)
          while let line = reader.line(), let text = answer(line) { handle.write(Data((text + "\n").utf8)) }
        }
      }
    }
  }

  // Wakes the thread.
  deinit {
    shutdown(socket, Int32(2))
    close(socket)
  }
}
