// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads from a pipe or a terminal. Its methods block.
final class LineReader {
  private let handle: FileHandle
  private var input: [UInt8] = []

  init(_ handle: FileHandle) { self.handle = handle }

  /// Whether input is available.
  var hasInput: Bool {
    var descriptor = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return !input.isEmpty || poll(&descriptor, 1, 10) > 0
  }

  /// The next line; nil at the end.
  func line() -> String? {
    guard let bytes = bytes(to: [0x0A]) else {
      defer { input = [] }
      return input.isEmpty ? nil : String(decoding: input, as: UTF8.self)
    }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// The input up to and including a text; nil if the input ends before it.
  func text(to end: String) -> String? { bytes(to: Array(end.utf8)).map { String(decoding: $0, as: UTF8.self) } }

  /// All remaining lines.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  private func bytes(to end: [UInt8]) -> [UInt8]? {
    while true {
      if let found = input.firstRange(of: end) {
        defer { input.removeSubrange(..<found.upperBound) }
        return Array(input[..<found.upperBound])
      }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(handle.fileDescriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      input += bytes[..<count]
    }
  }
}
