import Foundation

/// A terminal without a window, in which the `taxi` program runs as it would for a person.
final class PseudoTerminal {
  /// What stands on the screen after it was drawn.
  struct Frame: Equatable {
    let lines: [String]

    var rows: Int { lines.count }
    var columns: Int { lines.map(\.count).max() ?? 0 }
  }

  private let process = Process()
  private let outside: FileHandle
  /// How the terminal was set before the program.
  private let settings: termios
  private var bytes = Data()

  /// Starts the program.
  init(_ arguments: [String], columns: Int, rows: Int, terminal: String = "xterm") throws {
    var (outside, inside): (Int32, Int32) = (-1, -1)
    guard openpty(&outside, &inside, nil, nil, nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOTTY)
    }
    // Only the program is to have its end, and no other that is started meanwhile.
    for descriptor in [outside, inside] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    self.outside = FileHandle(fileDescriptor: outside, closeOnDealloc: true)
    settings = PseudoTerminal.settings(of: self.outside)
    let end = FileHandle(fileDescriptor: inside, closeOnDealloc: true)
    process.executableURL = try TaxiProcess.program()
    process.arguments = arguments
    process.environment = ["TERM": terminal]
    process.standardInput = end
    process.standardOutput = end
    process.standardError = end
    resize(columns: columns, rows: rows)
    try process.run(forAtMost: 300)
    // So that its end is the end of what can be read.
    try end.close()
  }

  deinit { if process.isRunning { process.terminate() } }

  func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(outside.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  func send(signal: Int32) { kill(process.processIdentifier, signal) }

  /// Types something. Ctrl-S stops the output of the terminal, and Ctrl-Q starts it again.
  func type(_ text: String) throws { try outside.write(contentsOf: Data(text.utf8)) }

  /// Everything that the program has written so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads on until the screen looks as it should.
  ///
  /// - Returns: the frame; nil if the program has ended first.
  func waitForFrame(_ isRight: (Frame) -> Bool) throws -> Frame? {
    while true {
      if let frame = lastFrame, isRight(frame) { return frame }
      guard try read() else { return nil }
    }
  }

  /// Reads on until the program has given the terminal back, and waits until it has stopped.
  ///
  /// - Parameter isRestored: whether it can give the terminal back.
  func waitUntilStopped(isRestored: Bool = true) throws {
    while isRestored, bytes.suffix(8) != Data("\u{1B}[?1049l".utf8) { guard try read() else { return } }
    var information = siginfo_t()
    while waitid(P_PID, id_t(process.processIdentifier), &information, WSTOPPED | WNOWAIT) != 0 {
      guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECHILD) }
    }
  }

  /// Forgets what the program has written so far.
  func forget() { bytes = Data() }

  /// Reads on until the program has ended.
  ///
  /// - Returns: its exit status.
  func end() throws -> Int32 {
    while try read() {}
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Whether the program has left the terminal as it was: the screen from before, with a cursor, and all settings.
  var isRestored: Bool {
    var isOnOtherScreen = false
    var isCursorHidden = false
    for command in text.components(separatedBy: "\u{1B}[").dropFirst() {
      if command.hasPrefix("?1049h") { isOnOtherScreen = true }
      if command.hasPrefix("?1049l") { isOnOtherScreen = false }
      if command.hasPrefix("?25l") { isCursorHidden = true }
      if command.hasPrefix("?25h") { isCursorHidden = false }
    }
    let now = PseudoTerminal.settings(of: outside)
    let sameSettings =
      now.c_iflag == settings.c_iflag && now.c_oflag == settings.c_oflag && now.c_lflag == settings.c_lflag
    return !isOnOtherScreen && !isCursorHidden && sameSettings
  }

  /// Whether the program has had a screen for itself.
  var hadScreen: Bool { text.contains("\u{1B}[?1049h") }

  /// What stands on the screen before it after the program has ended: no drawing.
  var rest: String { text.components(separatedBy: "\u{1B}[?1049l").last ?? "" }

  private var lastFrame: Frame? {
    guard let end = text.range(of: "\u{1B}[J", options: .backwards),
      let start = text.range(of: "\u{1B}[H", options: .backwards, range: text.startIndex..<end.lowerBound)
    else { return nil }
    let drawn = text[start.upperBound..<end.lowerBound].replacing(/\u{1B}\[[0-9;]*[mK]/, with: "")
    // The terminal adds a carriage return to each line of its own.
    let lines = drawn.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return Frame(lines: lines.map { line in String(String.UnicodeScalarView(line.filter { $0 != "\r" })) })
  }

  /// - Returns: whether there was anything to read.
  private func read() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(outside.fileDescriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
        return true
      }
      if count == 0 || errno == EIO { return false }
      guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
  }

  private static func settings(of terminal: FileHandle) -> termios {
    var settings = termios()
    tcgetattr(terminal.fileDescriptor, &settings)
    return settings
  }
}
