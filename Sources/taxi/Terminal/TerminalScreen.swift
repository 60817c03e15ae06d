// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import Foundation
internal import Synchronization
internal import TaxiSimulation

/// A terminal in full-screen mode. Its previous content is restored when it is closed.
final class TerminalScreen: Sendable {
  private struct State {
    var lines: [String] = []
    /// Whether full-screen mode was left by `suspend()`.
    var isSuspended = false
  }

  private let descriptor: Int32
  private let write: @Sendable (String) -> Void
  private let isOpen = Atomic(false)
  private let state = Locked(State())

  /// - Parameters:
  ///   - descriptor: the terminal.
  ///   - write: writes to it, in order with all other output.
  init(_ descriptor: Int32, write: @escaping @Sendable (String) -> Void) {
    self.descriptor = descriptor
    self.write = write
  }

  /// The current size.
  var size: ScreenSize {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return .fallback }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Enters full-screen mode and hides the cursor.
  func open() {
    guard !isOpen.exchange(true, ordering: .acquiringAndReleasing) else { return }
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  /// Replaces the content of the screen.
  ///
  /// - Parameter lines: lines that fit the screen.
  func draw(_ lines: [String]) {
    state.withLock { state in
      state.lines = lines
      show(state.lines)
    }
  }

  private func show(_ lines: [String]) {
    guard isOpen.load(ordering: .acquiring) else { return }
    write("\u{1B}[H" + lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// Leaves full-screen mode.
  func close() {
    state.withLock { state in
      state = State()
      shut()
    }
  }

  private func shut() {
    if isOpen.exchange(false, ordering: .acquiringAndReleasing) { write(TerminalScreen.closing) }
  }

  /// Leaves full-screen mode, if it was entered, because the program is about to be suspended.
  func suspend() {
    state.withLock { state in
      guard isOpen.load(ordering: .acquiring) else { return }
      state.isSuspended = true
      shut()
    }
  }

  /// Enters full-screen mode again after `suspend()`, and draws the last content.
  func resume() {
    state.withLock { state in
      guard state.isSuspended else { return }
      state.isSuspended = false
      open()
      show(state.lines)
    }
  }

  /// Leaves full-screen mode without waiting for output of other threads. A terminal that accepts no output, as after
  /// Ctrl-S, is left as it is.
  func closeAtOnce() {
    guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return }
    var text = TerminalScreen.closing
    text.withUTF8 { bytes in _ = Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
  }

  private static let closing = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
}
