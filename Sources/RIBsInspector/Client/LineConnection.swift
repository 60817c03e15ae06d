// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A connection to an inspector, on a thread that may block.
actor LineConnection {
  /// The maximum length of a line, in bytes: that of a snapshot of about five million RIBs. Another process must not fill
  /// the memory of this one.
  static let longestLine = 1 << 30

  private nonisolated let executor = QueueExecutor("ribs.inspector.client")
  private nonisolated let socket: Int32
  private let path: String
  private var input: [UInt8] = []
  /// The number of bytes of `input` already searched for a newline.
  private var searched = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter path: the path of the inspector's socket.
  init(to path: String) throws(InspectorError) {
    self.path = path
    socket = SystemCalls.makeSocket()
    guard socket >= 0 else { throw InspectorError(.socket, "A socket can't be created: \(SystemCalls.lastError).") }
  }

  deinit { close(socket) }

  /// Ends a waiting read and all later ones, which return nil. Callable from any thread.
  nonisolated func cancel() { SystemCalls.shutDown(socket) }

  /// - Parameter timeout: the timeout for each read and write, in seconds; none if nil.
  func wait(atMost timeout: Int?) {
    var time = timeval()
    time.tv_sec = .init(timeout ?? 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  func open() throws(InspectorError) {
    while SystemCalls.withAddress(path, { connect(socket, $0, $1) }) != 0 {
      if errno == EINTR { continue }
      throw InspectorError(
        .noAnswer, "No process answers at \(path): \(SystemCalls.lastError). The process may have ended.")
    }
  }

  func send(_ line: Data) throws(InspectorError) {
    var sent = 0
    while sent < line.count {
      let count = line.withUnsafeBytes { SystemCalls.send(.init(rebasing: $0[sent...]), to: socket) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw lost }
      sent += count
    }
  }

  /// Whether a line has arrived that was not read.
  var hasLine: Bool { input[searched...].contains(UInt8(ascii: "\n")) }

  /// The next line, without the newline; nil after the last one.
  func next() throws(InspectorError) -> Data? {
    while true {
      if let end = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(input[..<end])
        input.removeSubrange(...end)
        searched = 0
        return line
      }
      searched = input.count
      guard searched < LineConnection.longestLine else {
        throw InspectorError(.answer, "The answer of the process is longer than \(LineConnection.longestLine) bytes.")
      }
      guard let bytes = SystemCalls.read(socket, upTo: 65_536) else {
        if errno == EINTR { continue }
        throw lost
      }
      if bytes.isEmpty { return nil }
      input += bytes
    }
  }

  private var lost: InspectorError {
    let reason = errno == EAGAIN || errno == EWOULDBLOCK ? "it may be busy or stopped" : SystemCalls.lastError
    return InspectorError(.noAnswer, "The process does not answer: \(reason).")
  }
}
