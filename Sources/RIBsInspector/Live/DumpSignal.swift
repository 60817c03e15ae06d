// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs
internal import Synchronization

/// Calls its listeners each time the process receives `SIGUSR1`.
///
/// The handler of a signal may do little more than write a byte: it writes one to a socket pair, which a thread reads.
/// A dispatch source would do the same, but on Linux (Swift 6.3) it misses signals that arrive while the main thread
/// does not block them.
enum DumpSignal {
  private struct State {
    var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var isInstalled = false
  }

  private static let state = Locked(State())
  /// The descriptor that the signal handler writes to; -1 before it is installed.
  private static let writer = Atomic<Int32>(-1)

  /// Adds a listener. When the function returns, the signal no longer ends the process.
  ///
  /// - Parameters:
  ///   - owner: identifies the listener.
  ///   - listener: called on a thread of its own, after one or more signals.
  static func add(_ owner: AnyObject, _ listener: @escaping @Sendable () -> Void) throws(InspectorError) {
    let owner = ObjectIdentifier(owner)
    let isPossible = state.withLock { state in
      if !state.isInstalled { state.isInstalled = install() }
      if state.isInstalled { state.listeners[owner] = listener }
      return state.isInstalled
    }
    guard isPossible else {
      throw InspectorError(.socket, "A socket pair can't be created: \(SystemCalls.lastError).")
    }
  }

  /// Removes a listener. Later signals have no effect on it.
  static func remove(_ owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    state.withLock { $0.listeners[owner] = nil }
  }

  /// - Returns: whether the handler is installed.
  private static func install() -> Bool {
    guard let ends = SystemCalls.makeSocketPair() else { return false }
    writer.store(ends.writer, ordering: .releasing)
    SystemCalls.startThread(named: "ribs.signal") {
      while waitForSignal(at: ends.reader) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
      }
    }
    signal(SIGUSR1) { _ in
      let before = errno
      var byte: UInt8 = 1
      _ = write(DumpSignal.writer.load(ordering: .acquiring), &byte, 1)
      errno = before
    }
    return true
  }

  /// - Returns: whether there may be further signals.
  private static func waitForSignal(at reader: Int32) -> Bool {
    var polled = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
    while poll(&polled, 1, -1) < 0 {
      guard errno == EINTR else { return false }
    }
    // A signal after this counts as the next one.
    var bytes: UInt64 = 0
    while read(reader, &bytes, 8) > 0 {}
    return true
  }
}
