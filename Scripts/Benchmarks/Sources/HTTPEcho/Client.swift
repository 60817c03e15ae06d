// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A client that waits for each answer before its next request.
struct Client {
  #if canImport(Darwin)
    private let socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
  #else
    private let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #endif

  init(port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { fatalError("The server can't be reached.") }
  }

  /// Sends a request with a body of one byte.
  ///
  /// - Returns: the answer, a number in the last eight bytes.
  func request() -> Int {
    let request: StaticString = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\n\r\n1"
    guard write(socket, request.utf8Start, request.utf8CodeUnitCount) == request.utf8CodeUnitCount else { return -1 }
    // The head is as long in each answer: "HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n".
    var answer = [UInt8](repeating: 0, count: 38 + 8)
    var length = 0
    while length < answer.count {
      let more = answer.withUnsafeMutableBytes { read(socket, $0.baseAddress?.advanced(by: length), $0.count - length) }
      guard more > 0 else { return -1 }
      length += more
    }
    return answer.suffix(8).reduce(0) { $0 << 8 | Int($1) }
  }
}
