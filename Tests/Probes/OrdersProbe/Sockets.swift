// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

struct SocketError: Error, CustomStringConvertible {
  let description: String

  init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
}

/// Local stream sockets.
enum Sockets {
  #if os(Linux)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  static func listen(at path: String) throws -> Int32 {
    unlink(path)
    let listener = socket(AF_UNIX, stream, 0)
    guard listener >= 0, call(path, { bind(listener, $0, $1) }) == 0, Foundation.listen(listener, 256) == 0 else {
      throw SocketError("bind")
    }
    return listener
  }

  static func connect(to path: String) throws -> Int32 {
    let client = socket(AF_UNIX, stream, 0)
    guard client >= 0 else { throw SocketError("socket") }
    guard call(path, { Foundation.connect(client, $0, $1) }) == 0 else {
      close(client)
      throw SocketError("connect")
    }
    return client
  }

  private static func call(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
