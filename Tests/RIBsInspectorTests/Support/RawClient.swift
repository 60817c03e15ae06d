import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client that says what it wants, in the way it wants. Its calls wait, at most ten seconds.
final class RawClient: Sendable {
  private let socket: Int32
  private let input = Mutex<[UInt8]>([])

  init(_ path: String) throws {
    #if canImport(Glibc)
      socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var time = timeval()
    time.tv_sec = 10
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  deinit { close(socket) }

  /// Sends as much as the other side takes.
  @discardableResult
  func send(_ text: String) -> Int { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Int {
    #if canImport(Darwin)
      Foundation.send(socket, bytes, bytes.count, 0)
    #else
      Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  /// Says that nothing more comes.
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

  /// Asks, and reads the answer.
  func ask(_ text: String) -> String? {
    send(text + "\n")
    return line()
  }
}

/// Does something that waits, on a thread that may.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
