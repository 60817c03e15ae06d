// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import TaxiOrder
@testable import taxi

@Suite("taxi watch in a terminal", .onOwnThread)
struct WatchTerminalTests {
  private static let endless = ["watch", "--taxis", "12", "--speed", "3000"]
  private static let opening = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let closing = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  @Test(
    "fills the screen, whatever its size, and restores it when interrupted",
    arguments: [(80, 24), (200, 60), (20, 5), (1, 1)] as [(Int, Int)],
    [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func sizes(size: (columns: Int, rows: Int), end: (signal: Int32, status: Int32)) throws {
    let terminal = try PseudoTerminal(WatchTerminalTests.endless, columns: size.columns, rows: size.rows)
    let frame = try #require(
      try terminal.waitForFrame { $0.rows == size.rows && ($0.rows < 24 || $0.lines.joined().contains("under way")) })
    #expect(frame.columns <= size.columns)
    if size.columns >= 80 {
      #expect(frame.lines.first?.contains("orders:") == true)
      #expect(frame.lines.contains { $0.hasPrefix("Fleet") })
      #expect(frame.lines.last?.contains("more lines") == true)
    }
    terminal.send(signal: end.signal)
    #expect(try terminal.end() == end.status)
    #expect(terminal.hadScreen && terminal.isRestored)
    #expect(terminal.rest.contains("charged.\r\n"))
  }

  /// A terminal in which an endless day is shown.
  private func watching() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(WatchTerminalTests.endless, columns: 80, rows: 24)
    _ = try #require(try terminal.waitForFrame { $0.rows == 24 })
    return terminal
  }

  private func interrupt(_ terminal: PseudoTerminal) throws {
    terminal.send(signal: SIGINT)
    #expect(try terminal.end() == 130)
    #expect(terminal.isRestored)
  }

  @Test("adapts to the size of the terminal while it runs")
  func resizing() throws {
    let terminal = try PseudoTerminal(WatchTerminalTests.endless, columns: 80, rows: 24)
    for (columns, rows) in [(80, 24), (200, 60), (40, 10), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      let frame = try #require(try terminal.waitForFrame { $0.rows == rows && $0.columns <= columns })
      #expect(frame.lines.contains { $0.hasPrefix("taxi 1 ") })
    }
    try interrupt(terminal)
  }

  @Test("restores the screen when all orders have ended, and prints a summary")
  func end() throws {
    let terminal = try PseudoTerminal(words("watch --orders 4 --speed 1000000"), columns: 80, rows: 24)
    #expect(try terminal.end() == 0)
    #expect(terminal.hadScreen && terminal.isRestored)
    #expect(terminal.rest.hasPrefix("4 orders: 4 completed, 0 cancelled, 0 failed; "))
  }

  @Test("restores the screen when it is interrupted repeatedly")
  func manyInterrupts() throws {
    let terminal = try watching()
    for _ in 0..<5 { terminal.send(signal: SIGINT) }
    #expect(try terminal.end() == 130)
    #expect(terminal.isRestored)
  }

  @Test("restores the screen while it is suspended, and draws again when resumed")
  func stopping() throws {
    let terminal = try watching()
    for _ in 0..<3 {
      _ = try #require(try terminal.waitForFrame { $0.rows == 24 })
      terminal.send(signal: SIGTSTP)
      try terminal.waitUntilStopped()
      terminal.forget()
      terminal.send(signal: SIGCONT)
    }
    _ = try #require(try terminal.waitForFrame { $0.rows == 24 })
    #expect(terminal.hadScreen)
    try interrupt(terminal)
  }

  @Test("ends on a termination signal while it is suspended")
  func endingStopped() throws {
    let terminal = try watching()
    terminal.send(signal: SIGTSTP)
    try terminal.waitUntilStopped()
    terminal.send(signal: SIGTERM)
    terminal.send(signal: SIGCONT)
    #expect(try terminal.end() == 143)
    #expect(terminal.isRestored)
  }

  @Test(
    "ends with the first signal, or the second, even if the terminal accepts no output, as after Ctrl-S",
    arguments: [([SIGINT], [130]), ([SIGTERM], [143]), ([SIGINT, SIGTERM], [130, 143])] as [([Int32], [Int32])])
  func stoppedOutput(signals: [Int32], statuses: [Int32]) throws {
    let terminal = try watching()
    try terminal.type("\u{13}")
    for signal in signals { terminal.send(signal: signal) }
    #expect(try statuses.contains(terminal.end()))
  }

  @Test("can be suspended even if the terminal accepts no output, and draws when it does again")
  func stoppingStoppedOutput() throws {
    let terminal = try watching()
    try terminal.type("\u{13}")
    terminal.send(signal: SIGTSTP)
    try terminal.waitUntilStopped(isRestored: false)
    terminal.send(signal: SIGCONT)
    try terminal.type("\u{11}")
    terminal.forget()
    _ = try #require(try terminal.waitForFrame { $0.rows == 24 })
    try interrupt(terminal)
  }

  #if os(Linux)
    @Test("ends when the terminal is gone")
    func hangup() throws { #expect(try watching().hangUp() == 74) }
  #endif

  @Test("uses no full-screen mode on a dumb terminal")
  func dumb() throws {
    let terminal = try PseudoTerminal(
      words("watch --orders 2 --speed 1000000"), columns: 80, rows: 24, terminal: "dumb")
    #expect(try terminal.end() == 0)
    #expect(!terminal.text.contains("\u{1B}"))
    #expect(terminal.text.contains("taxi 1  order 1  under way\r\n"))
  }

  @Test("closes its screen at once only if the terminal accepts output")
  func closingStoppedOutput() throws {
    let full = Pipe()
    try full.fill()
    let screen = TerminalScreen(full.fileHandleForWriting.fileDescriptor) { _ in }
    screen.open()
    // A write to a full pipe would never return.
    screen.closeAtOnce()
  }

  @Test("closes its screen once, in order or at once")
  func closing() throws {
    let pipe = Pipe()
    let written = Journal()
    for isAtOnce in [true, false] {
      let screen = TerminalScreen(pipe.fileHandleForWriting.fileDescriptor) { written.write($0) }
      screen.draw(["unseen"])
      screen.open()
      screen.open()
      screen.draw(["one", "two"])
      if isAtOnce { screen.closeAtOnce() } else { screen.close() }
      screen.close()
      screen.closeAtOnce()
      screen.draw(["unseen"])
    }
    try pipe.fileHandleForWriting.close()
    let atOnce = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(atOnce == WatchTerminalTests.closing)
    let opening = WatchTerminalTests.opening
    let picture = "\u{1B}[H\u{1B}[Kone\r\n\u{1B}[Ktwo\u{1B}[J"
    #expect(written.lines == [opening, picture, opening, picture, atOnce])
  }

  @Test("draws its last content again when it is resumed, unless it was closed meanwhile")
  func resuming() throws {
    let written = Journal()
    let screen = TerminalScreen(-1) { written.write($0) }
    screen.suspend()
    screen.resume()
    #expect(written.lines.isEmpty)
    screen.open()
    screen.draw(["one"])
    screen.suspend()
    screen.draw(["two"])
    screen.resume()
    screen.suspend()
    screen.close()
    screen.resume()
    let (opening, closing) = (WatchTerminalTests.opening, WatchTerminalTests.closing)
    #expect(
      written.lines == [
        opening, "\u{1B}[H\u{1B}[Kone\u{1B}[J", closing, opening, "\u{1B}[H\u{1B}[Ktwo\u{1B}[J", closing,
      ])
  }
}
