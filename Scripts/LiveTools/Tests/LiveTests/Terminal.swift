// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A pseudoterminal.
final class Terminal {
  /// The side of the program.
  let other: FileHandle
  /// Reads what the program has written.
  let screen: LineReader

  init() throws {
    let (terminal, other) = try openTerminal()
    self.other = other
    screen = LineReader(terminal)
  }

  /// All output of programs that have ended.
  func text() -> String {
    try? other.close()
    return screen.lines().map { $0 + "\n" }.joined()
  }
}

#if os(Linux)
  /// A pseudoterminal: the controlling side, and the program's side.
  private func openTerminal() throws -> (FileHandle, FileHandle) {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number) = (Int32(0), Int32(0))
    try #require(terminal >= 0)
    try #require(ioctl(terminal, unlock, &lock) == 0 && ioctl(terminal, numberOfTerminal, &number) == 0)
    let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(other >= 0)
    return (
      FileHandle(fileDescriptor: terminal, closeOnDealloc: true),
      FileHandle(fileDescriptor: other, closeOnDealloc: true)
    )
  }

  // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
  private let unlock = UInt(0x4004_5431)
  private let numberOfTerminal = UInt(0x8004_5430)
#else
  private func openTerminal() throws -> (FileHandle, FileHandle) {
    let terminal = posix_openpt(O_RDWR | O_NOCTTY)
    try #require(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0)
    let other = open(try #require(ptsname(terminal)), O_RDWR | O_NOCTTY)
    try #require(other >= 0)
    return (
      FileHandle(fileDescriptor: terminal, closeOnDealloc: true),
      FileHandle(fileDescriptor: other, closeOnDealloc: true)
    )
  }
#endif
