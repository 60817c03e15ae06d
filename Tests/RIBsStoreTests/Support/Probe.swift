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
    let program = try ProgramProcess([ProgramProcess.path(of: name)], in: directory)
    defer { program.kill() }
    var lines: [String] = []
    while let line = program.line() {
      lines.append(line)
      if isLast(line) { break }
    }
    return lines
  }
}

/// A program in a process of its own, whose output a test reads line by line.
final class ProgramProcess {
  private let process = Process()
  private let (input, output, errors) = (Pipe(), Pipe(), Pipe())

  /// - Parameter command: the path of the program, then its arguments.
  init(_ command: [String], in directory: String = ".") throws {
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// The path of a program of this package.
  static func path(of name: String) -> String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
  }

  var number: Int32 { process.processIdentifier }

  func write(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

  /// The next line of the output. Nil at its end.
  func line() -> String? { line(of: output) }

  /// The next line of the error output. Nil at its end.
  func errorLine() -> String? { line(of: errors) }

  /// Reads a line, byte by byte.
  private func line(of pipe: Pipe) -> String? {
    var bytes: [UInt8] = []
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// Ends the input, waits for the end of the process, and returns its exit status.
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  func kill() {
    Foundation.kill(number, SIGKILL)
    process.waitUntilExit()
  }
}
