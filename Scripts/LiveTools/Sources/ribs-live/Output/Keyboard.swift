// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keys that a user presses, or that another program writes to standard input.
struct Keyboard {
  enum Key {
    case next, back, first, last, quit
  }

  /// The settings of the terminal before; nil without a terminal.
  private let before: termios?

  /// Makes the terminal deliver each key at once, and without showing it.
  init() {
    var settings = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
      before = nil
      return
    }
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Restores the settings of the terminal.
  func close() {
    guard var before else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }

  /// The keys, until the end of the input. Read on a thread of its own, which may block.
  func keys() -> AsyncStream<Key> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        // The bytes of an escape sequence so far.
        var sequence: [UInt8] = []
        var byte: UInt8 = 0
        while true {
          let count = read(STDIN_FILENO, &byte, 1)
          if count < 0, errno == EINTR { continue }
          guard count == 1 else { return continuation.finish() }
          sequence.append(byte)
          let (key, isComplete) = Keyboard.key(sequence)
          if let key { continuation.yield(key) }
          if isComplete { sequence = [] }
        }
      }
    }
  }

  /// The key that bytes stand for, and whether they are complete.
  static func key(_ bytes: [UInt8]) -> (Key?, isComplete: Bool) {
    switch bytes {
    case [0x1B], [0x1B, UInt8(ascii: "[")]: (nil, false)
    case Array("\u{1B}[C".utf8), Array("\u{1B}[B".utf8), Array("\n".utf8), Array("\r".utf8), Array(" ".utf8),
      Array("n".utf8):
      (.next, true)
    case Array("\u{1B}[D".utf8), Array("\u{1B}[A".utf8), Array("b".utf8), Array("p".utf8): (.back, true)
    case Array("\u{1B}[H".utf8), Array("g".utf8): (.first, true)
    case Array("\u{1B}[F".utf8), Array("G".utf8): (.last, true)
    case Array("q".utf8), [0x04]: (.quit, true)
    default: (nil, true)
    }
  }
}
