// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import Testing

@testable import RIBsInspector

/// A client that sends arbitrary bytes. Its calls block, with a timeout.
final class RawClient: Sendable {
  /// The timeout in seconds: long enough for a busy machine.
  static let timeout = 600

  private let socket: Int32
  private let input = Locked<[UInt8]>([])

  /// Connects to an existing socket, or creates one without a listener.
  init(_ path: String, binds: Bool = false) throws {
    socket = try unixSocket(path, binds ? bind : connect)
    var time = timeval()
    time.tv_sec = RawClient.timeout
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close(socket) }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends all bytes, or as many as the other side accepts before it disconnects.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { SystemCalls.send($0, to: socket) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends the client's output.
  func endInput() { shutdown(socket, Int32(1)) }

  /// The next line; nil at the end.
  func line() -> String? {
    input.withLock { input in
      while true {
        if let end = input.firstIndex(of: 0x0A) {
          defer { input.removeSubrange(...end) }
          return String(decoding: input[..<end], as: UTF8.self)
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return nil }
        input += bytes[..<count]
      }
    }
  }

  /// All lines until the other side ends the connection.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Sends a request, and reads the answer.
  func ask(_ text: String) -> String? {
    send(text + "\n")
    return line()
  }

  /// Whether a request for the list of trees is answered.
  var listsTrees: Bool { ask("{\"request\":\"trees\"}")?.contains("\"trees\"") == true }
}

/// A socket that a call has bound to a path, or connected to it.
func unixSocket(
  _ path: String, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
) throws -> Int32 {
  #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
  #endif
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let status = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard status == 0 else {
    defer { close(descriptor) }
    throw POSIXError(.init(rawValue: errno) ?? .EIO)
  }
  return descriptor
}
