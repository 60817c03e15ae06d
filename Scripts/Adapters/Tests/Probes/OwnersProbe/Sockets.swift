// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

struct SocketError: Error, CustomStringConvertible {
  let description: String

  init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
}

/// Stream sockets of the loopback address.
enum Sockets {
  /// - Parameter port: 0 for a free one.
  static func listen(on port: UInt16) throws -> (socket: Int32, port: UInt16) {
    let listener = try make()
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard call(port, { bind(listener, $0, $1) }) == 0, Foundation.listen(listener, 128) == 0 else {
      defer { close(listener) }
      throw SocketError("bind")
    }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// - Parameter timeout: how long a call of the socket waits.
  static func connect(to port: UInt16, timeout: Int? = nil) throws -> Int32 {
    let client = try make()
    if let timeout {
      var time = timeval(tv_sec: timeout, tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(client, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
      }
    }
    guard call(port, { Foundation.connect(client, $0, $1) }) == 0 else {
      defer { close(client) }
      throw SocketError("connect")
    }
    var yes: Int32 = 1
    setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    return client
  }

  private static func make() throws -> Int32 {
    #if os(Linux)
      let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let made = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard made >= 0 else { throw SocketError("socket") }
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    return made
  }

  private static func call(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
