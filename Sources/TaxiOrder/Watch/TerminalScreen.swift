internal import Foundation
internal import Synchronization

/// A terminal as a screen that a program has for itself: what stood on it before is there again when it is closed.
public final class TerminalScreen: Sendable {
  private struct Picture {
    var lines: [String] = []
    /// Whether the screen was given back for a while.
    var isSuspended = false
  }

  private let descriptor: Int32
  private let write: @Sendable (String) -> Void
  private let isOpen = Atomic(false)
  private let picture = Guarded(Picture())

  /// - Parameters:
  ///   - descriptor: the terminal.
  ///   - write: writes to it, in order with everything else that is written.
  init(_ descriptor: Int32, write: @escaping @Sendable (String) -> Void) {
    self.descriptor = descriptor
    self.write = write
  }

  /// How large it is now.
  var size: ScreenSize {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return .usual }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Takes the terminal over, and hides the cursor.
  func open() {
    guard !isOpen.exchange(true, ordering: .acquiringAndReleasing) else { return }
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  /// Draws a picture in place of the one before.
  ///
  /// - Parameter lines: no more than there are rows, and none wider than the screen.
  func draw(_ lines: [String]) {
    picture.withLock { picture in
      picture.lines = lines
      show(picture.lines)
    }
  }

  private func show(_ lines: [String]) {
    guard isOpen.load(ordering: .acquiring) else { return }
    write("\u{1B}[H" + lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// Gives the terminal back as it was.
  func close() {
    picture.withLock { picture in
      picture = Picture()
      shut()
    }
  }

  private func shut() {
    if isOpen.exchange(false, ordering: .acquiringAndReleasing) { write(TerminalScreen.closing) }
  }

  /// Gives the terminal back for a while, if it was taken over: the program is about to be stopped.
  public func suspend() {
    picture.withLock { picture in
      guard isOpen.load(ordering: .acquiring) else { return }
      picture.isSuspended = true
      shut()
    }
  }

  /// Takes the terminal over again, if it was given back for a while, and draws the last picture.
  public func resume() {
    picture.withLock { picture in
      guard picture.isSuspended else { return }
      picture.isSuspended = false
      open()
      show(picture.lines)
    }
  }

  /// Gives the terminal back in the middle of things: what another thread is writing to it is not waited for. A terminal that
  /// takes nothing just now, as after Ctrl-S, stays as it is.
  public func closeAtOnce() {
    guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return }
    var text = TerminalScreen.closing
    text.withUTF8 { bytes in _ = Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
  }

  private static let closing = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
}
