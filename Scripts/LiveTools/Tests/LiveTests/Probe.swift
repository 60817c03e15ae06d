// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A process that exposes its trees through a socket in a temporary directory.
final class Probe {
  let directory: String
  let program: Program
  let socket: String
  var id: Int32 { program.process.processIdentifier }

  /// - Parameter user: another user that runs the process, if the tests run as root.
  init(trees: Int = 1, in directory: String? = nil, user: Int? = nil) throws {
    // Short, because the path of a socket is limited to about a hundred bytes.
    self.directory = directory ?? "/tmp/ribs-live-\(UInt32.random(in: .min ... .max))"
    program = try Program("LiveProbe", [self.directory, String(trees), "0"] + (user.map { [String($0)] } ?? []))
    socket = try #require(program.output.line())
  }

  deinit {
    program.send(SIGKILL)
    program.process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Sends a command to the process, and waits until it has been executed.
  func tell(_ line: String) throws {
    try program.say(line)
    #expect(program.output.line() == "done")
  }

  /// Starts the tool for the directory of this process.
  func ribs(
    _ arguments: String..., terminal: FileHandle? = nil, environment: [String: String] = [:]
  ) throws -> Program {
    try Program(
      "ribs-live", arguments + ["--directory", directory], terminal: terminal, environment: environment)
  }

  /// Runs the tool until it exits.
  func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program("ribs-live", arguments + ["--directory", directory]).outcome()
  }

  func run(_ arguments: String...) throws -> Program.Outcome { try run(arguments) }
}

extension [String] {
  /// The lines with ages replaced by dots, however wide the column of the ages is.
  var ageless: [String] {
    map {
      $0.replacing(#/\b[0-9]+(ms|s|m|h|d)( [0-9]+[smh])?\b/#, with: "…").replacing(#/[0-9]+\.[0-9]{3}/#, with: "…")
        .replacing(#/…  +/#, with: "…  ")
    }
  }
}
