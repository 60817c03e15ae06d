import Foundation

/// Where pictures are shown one after the other: in place on a terminal, below each other elsewhere.
struct Screen {
  let isTerminal = isatty(STDOUT_FILENO) == 1
  /// What was shown last: it stays on a terminal when the screen is closed.
  private let last = LastPicture()

  /// Takes a page of the terminal's own, where nothing is wrapped and no cursor blinks.
  func open() {
    if isTerminal { try? StandardOutput.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l") }
  }

  /// Gives the terminal back, as it was before, with the last picture.
  func close() {
    if isTerminal { try? StandardOutput.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l" + last.text) }
  }

  /// Shows a picture. Elsewhere than on a terminal, it is left out if it is the same as the one before.
  func show(_ picture: String) throws {
    defer { last.text = picture }
    if isTerminal {
      try StandardOutput.write(Screen.frame(picture, rows: rows))
    } else if picture != last.text {
      try StandardOutput.write(picture + "\n")
    }
  }

  /// What draws a picture over the one before, from the top, as much of it as there is room for.
  static func frame(_ picture: String, rows: Int) -> String {
    var lines = picture.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    if lines.count > rows {
      let hidden = lines.count - max(0, rows - 1)
      lines = lines.prefix(max(0, rows - 1)) + ["(\(hidden) more lines)"]
    }
    // Each line takes away what stood behind it, and the last what stood below.
    return "\u{1B}[H" + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J"
  }

  /// How many lines there is room for.
  private var rows: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }

  private final class LastPicture {
    var text = ""
  }
}
