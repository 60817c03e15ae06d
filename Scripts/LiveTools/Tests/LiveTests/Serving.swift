// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsInspector
import Testing

@testable import ribs_live

/// A running `ribs serve`, for the directory of a process.
struct Serving {
  let probe: Probe
  let serve: Program
  let address: String

  init(_ probe: Probe, _ arguments: String...) throws {
    self.probe = probe
    serve = try Program("ribs-live", ["serve"] + arguments + ["--directory", probe.directory])
    address = try #require(serve.output.line())
  }

  var port: UInt16 { UInt16(address.split(separator: ":")[2].prefix { $0 != "/" }) ?? 0 }
  var token: String { String(address.split(separator: "/").last ?? "") }

  /// The key of a process in requests.
  func key(of probe: Probe) throws -> String {
    let all = try ServedProcesses(choice: nil, directory: probe.directory).all()
    return try #require(all.first { $0.process.id == probe.id }?.key)
  }

  /// Opens the page.
  func open(width: Int = 1_440, height: Int = 900) throws -> Chromium {
    let page = try Chromium(address, width: width, height: height)
    page.companions = [serve, probe]
    return page
  }

  /// Opens the page, and waits until it shows the first tree.
  func openTree() throws -> Chromium {
    let page = try open()
    try page.wait("page.isConnected && page.history?.state && document.querySelector('[data-rib=Root]')")
    return page
  }
}

/// A TCP connection to a port of this machine.
final class Connection {
  private let socket: Int32

  init(_ port: UInt16) throws {
    #if os(Linux)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    var time = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  /// Sends as much as the other side accepts.
  func send(_ bytes: [UInt8]) {
    #if os(Linux)
      _ = Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      _ = Foundation.send(socket, bytes, bytes.count, 0)
    #endif
  }

  /// Closes the sending side.
  func finish() { _ = shutdown(socket, Int32(SHUT_WR)) }

  /// The next bytes; none at the end.
  func read(upTo count: Int = 65_536) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = recv(socket, &bytes, count, 0)
    return Array(bytes.prefix(max(0, received)))
  }

  /// All bytes until the end.
  func readToEnd() -> String {
    var all: [UInt8] = []
    while true {
      let bytes = read()
      if bytes.isEmpty { return String(decoding: all, as: UTF8.self) }
      all += bytes
    }
  }

  /// Reads until a text has been received. Returns nil if the connection ends before.
  func read(to text: String) -> String? {
    var all = ""
    while !all.contains(text) {
      let bytes = read()
      if bytes.isEmpty { return nil }
      all += String(decoding: bytes, as: UTF8.self)
      // Only the end can contain the beginning of the text.
      if all.utf8.count > 1 << 20, !all.contains(text) { all = String(all.suffix(text.count)) }
    }
    return all
  }
}
