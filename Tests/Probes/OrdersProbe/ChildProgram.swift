// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Another process of this program, which reads and writes lines.
final class ChildProgram: Sendable {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private let lines: Mutex<LineReader>

  init(_ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    lines = Mutex(LineReader(output.fileHandleForReading.fileDescriptor))
    try process.run()
  }

  func readLine() -> String? { lines.withLock { $0.next() } }
  func write(_ line: String) -> Bool { writeLine(line, to: input.fileHandleForWriting.fileDescriptor) }
  func closeInput() { try? input.fileHandleForWriting.close() }
  func signal(_ number: Int32) { _ = Foundation.kill(process.processIdentifier, number) }
  func wait() { process.waitUntilExit() }

  func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
  }
}

/// Reads lines from a file descriptor.
struct LineReader: Sequence, IteratorProtocol {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  mutating func next() -> String? {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      searched = buffer.count
      var bytes = [UInt8](repeating: 0, count: 16_384)
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffer += bytes.prefix(count)
    }
  }
}

/// Writes all bytes.
///
/// - Returns: false if the other side is gone.
@discardableResult
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    written += count
  }
  return true
}

/// Writes a line.
///
/// - Returns: false if the other side is gone.
@discardableResult
func writeLine(_ text: String, to descriptor: Int32) -> Bool { writeAll(Array("\(text)\n".utf8), to: descriptor) }
