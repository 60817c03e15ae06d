// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Displays pictures one after another: in place on a terminal, below each other otherwise.
struct Screen {
  let isTerminal = isatty(STDOUT_FILENO) == 1
  /// The picture shown last. `close()` leaves it on the terminal.
  private let last = LastPicture()

  /// Switches to the terminal's alternate screen, without line wrapping or cursor.
  func open() {
    if isTerminal { try? StandardOutput.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l") }
  }

  /// Restores the terminal and prints the last picture.
  func close() {
    if isTerminal { try? StandardOutput.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l" + last.text) }
  }

  /// Shows a picture. Without a terminal, skips a picture that equals the previous one.
  func show(_ picture: String) throws {
    defer { last.text = picture }
    if isTerminal {
      try StandardOutput.write(Screen.frame(picture, rows: rows))
    } else if picture != last.text {
      try StandardOutput.write(picture + "\n")
    }
  }

  /// The output that draws a picture over the previous one from the top, clipped to the number of rows.
  static func frame(_ picture: String, rows: Int) -> String {
    var lines = picture.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    if lines.count > rows {
      let hidden = lines.count - max(0, rows - 1)
      lines = lines.prefix(max(0, rows - 1)) + ["(\(hidden) more lines)"]
    }
    // Each line clears the rest of its row, and the last one clears the rows below.
    return "\u{1B}[H" + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J"
  }

  /// The number of rows of the terminal.
  private var rows: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }

  private final class LastPicture {
    var text = ""
  }
}
