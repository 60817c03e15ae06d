// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Foundation

/// A pseudo terminal in which the `taxi` program runs.
final class PseudoTerminal {
  /// The content of the screen after a frame was drawn.
  struct Frame: Equatable {
    let lines: [String]

    var rows: Int { lines.count }
    var columns: Int { lines.map(\.count).max() ?? 0 }
  }

  private let process = Process()
  private let outside: FileHandle
  /// The terminal settings before the program started.
  private let settings: termios
  private var bytes = Data()

  /// Starts the program.
  init(_ arguments: [String], columns: Int, rows: Int, terminal: String = "xterm") throws {
    var (outside, inside): (Int32, Int32) = (-1, -1)
    guard openpty(&outside, &inside, nil, nil, nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOTTY)
    }
    // Not inherited by other child processes started meanwhile.
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
    try process.run(forAtMost: 900)
    // So that its end is the end of what can be read.
    try end.close()
  }

  deinit { if process.isRunning { process.terminate() } }

  func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(outside.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  func send(signal: Int32) { kill(process.processIdentifier, signal) }

  /// Types characters. Ctrl-S stops the output of the terminal, Ctrl-Q resumes it.
  func type(_ text: String) throws { try outside.write(contentsOf: Data(text.utf8)) }

  /// All output of the program so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads until a frame satisfies a condition.
  ///
  /// - Returns: the frame; nil if the program has ended.
  func waitForFrame(_ isRight: (Frame) -> Bool) throws -> Frame? {
    while true {
      if let frame = lastFrame, isRight(frame) { return frame }
      guard try read() else { return nil }
    }
  }

  /// Reads until the program has restored the terminal, and waits until it is suspended.
  ///
  /// - Parameter isRestored: whether it can restore the terminal.
  func waitUntilStopped(isRestored: Bool = true) throws {
    while isRestored, bytes.suffix(8) != Data("\u{1B}[?1049l".utf8) { guard try read() else { return } }
    var information = siginfo_t()
    while waitid(P_PID, id_t(process.processIdentifier), &information, WSTOPPED | WNOWAIT) != 0 {
      guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECHILD) }
    }
  }

  /// Discards the output of the program so far.
  func forget() { bytes = Data() }

  /// Reads until the program has ended.
  ///
  /// - Returns: its exit status.
  func end() throws -> Int32 {
    while try read() {}
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Closes the terminal, and waits until the program has ended.
  ///
  /// - Returns: its exit status.
  func hangUp() throws -> Int32 {
    try outside.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Whether the program has restored the terminal: previous content, cursor and settings.
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

  /// Whether the program has used full-screen mode.
  var hadScreen: Bool { text.contains("\u{1B}[?1049h") }

  /// The content of the main screen after the program has ended, without frames.
  var rest: String { text.components(separatedBy: "\u{1B}[?1049l").last ?? "" }

  private var lastFrame: Frame? {
    guard let end = text.range(of: "\u{1B}[J", options: .backwards),
      let start = text.range(of: "\u{1B}[H", options: .backwards, range: text.startIndex..<end.lowerBound)
    else { return nil }
    let drawn = text[start.upperBound..<end.lowerBound].replacing(/\u{1B}\[[0-9;]*[mK]/, with: "")
    // The terminal adds a carriage return to each newline.
    let lines = drawn.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return Frame(lines: lines.map { line in String(String.UnicodeScalarView(line.filter { $0 != "\r" })) })
  }

  /// - Returns: whether there was any output.
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
