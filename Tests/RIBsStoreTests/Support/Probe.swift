// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A program of the documentation, which the tests compile, run and kill.
struct Probe {
  let name: String

  /// The code blocks of a document that are in a language, or in none.
  static func blocks(of document: String, in language: String = "") throws -> [String] {
    var blocks: [String] = []
    var block: (language: Substring, lines: [String])?
    for line in try packageText(document).components(separatedBy: "\n") {
      if let open = block, line == "```" {
        if open.language == language { blocks.append(open.lines.joined(separator: "\n") + "\n") }
        block = nil
      } else if block != nil {
        block?.lines.append(line)
      } else if line.hasPrefix("```") {
        block = (line.dropFirst(3), [])
      }
    }
    return blocks
  }

  /// Runs the program until it has printed a line through a pipe, kills it, and returns all lines.
  func printed(in directory: String, until isLast: (String) -> Bool) throws -> [String] {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name)
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.standardOutput = output
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    var lines: [String] = []
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: line, as: UTF8.self))
        if isLast(lines[lines.count - 1]) { break }
        line = []
      } else {
        line.append(byte)
      }
    }
    return lines
  }
}
