// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Passes the connections of a server to the database. It can cut them, and hold back what they send.
final class Proxy: Sendable {
  let port: UInt16
  private let target: UInt16
  private let edits: [Edit]
  private let isHeld = Mutex(false)
  private let released = NSCondition()
  private let sockets = Mutex<Set<Int32>>([])

  /// A replacement in what clients send, or in what the server sends.
  ///
  /// No message may end with the beginning of the old text, because this is held back until the next byte.
  struct Edit: Sendable {
    let old: [UInt8]
    let new: [UInt8]
    let isOfServer: Bool

    /// - Parameter new: is filled up with spaces, because the length of a message is part of it.
    init(_ old: String, _ new: String, isOfServer: Bool = false) {
      precondition(new.utf8.count <= old.utf8.count)
      self.old = Array(old.utf8)
      self.new = Array(new.utf8) + Array(repeating: UInt8(ascii: " "), count: old.utf8.count - new.utf8.count)
      self.isOfServer = isOfServer
    }
  }

  init(to target: UInt16, _ edits: [Edit]) throws {
    (self.target, self.edits) = (target, edits)
    let listener: Int32
    (listener, port) = try Sockets.listen(on: 0)
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        if client >= 0 { open(client) }
      }
    }
  }

  private func open(_ client: Int32) {
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    guard let server = try? Sockets.connect(to: target) else {
      close(client)
      return
    }
    sockets.withLock { $0.formUnion([client, server]) }
    let pair = Pair(client: client, server: server)
    Thread.detachNewThread { [self] in pump(from: client, to: server, edits.filter { !$0.isOfServer }, pair) }
    Thread.detachNewThread { [self] in pump(from: server, to: client, edits.filter(\.isOfServer), pair) }
  }

  private final class Pair: Sendable {
    let client: Int32
    let server: Int32
    /// The number of directions that have not ended.
    let pumps = Mutex(2)

    init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }
  }

  private func pump(from source: Int32, to sink: Int32, _ edits: [Edit], _ pair: Pair) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var kept: [UInt8] = []
    while true {
      let count = read(source, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      waitUntilReleased()
      var text = kept + bytes.prefix(count)
      kept = []
      if !edits.isEmpty { kept = Proxy.replace(edits, in: &text) }
      guard writeAll(text, to: sink) else { break }
    }
    // Both directions end, and the last one closes.
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(sink, Int32(SHUT_RDWR))
    let isLast = pair.pumps.withLock { pumps in
      pumps -= 1
      return pumps == 0
    }
    guard isLast else { return }
    sockets.withLock { sockets in
      sockets.subtract([pair.client, pair.server])
      close(pair.client)
      close(pair.server)
    }
  }

  /// Replaces texts, and removes what may be the beginning of one at the end.
  private static func replace(_ edits: [Edit], in bytes: inout [UInt8]) -> [UInt8] {
    for edit in edits {
      var index = 0
      while index + edit.old.count <= bytes.count {
        if bytes[index] == edit.old[0], bytes[index..<index + edit.old.count].elementsEqual(edit.old) {
          bytes.replaceSubrange(index..<index + edit.old.count, with: edit.new)
        }
        index += 1
      }
    }
    let counts = edits.map { edit in
      (1..<edit.old.count).last { bytes.suffix($0).elementsEqual(edit.old.prefix($0)) } ?? 0
    }
    let count = counts.max() ?? 0
    defer { bytes.removeLast(count) }
    return Array(bytes.suffix(count))
  }

  private func waitUntilReleased() {
    released.lock()
    while isHeld.withLock({ $0 }) { released.wait() }
    released.unlock()
  }

  /// Closes all connections.
  func cut() { sockets.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } } }

  /// Holds back all bytes, until they are released.
  func hold() { isHeld.withLock { $0 = true } }

  func release() {
    released.lock()
    isHeld.withLock { $0 = false }
    released.broadcast()
    released.unlock()
  }
}
