// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

@testable import TaxiOrder
@testable import taxi

/// Records the output of a program.
final class RecordingTerminal: Sendable {
  private let texts = Locked((out: "", error: ""))

  var out: String { texts.withLock { $0.out } }
  var error: String { texts.withLock { $0.error } }

  var terminal: Terminal {
    Terminal(
      out: { [self] text in texts.withLock { $0.out += text } },
      error: { [self] text in texts.withLock { $0.error += text } })
  }

  /// Runs a command line, and records its output.
  static func run(_ line: String) async -> (status: Int32, out: String, error: String) { await run(words(line)) }

  static func run(_ arguments: [String]) async -> (status: Int32, out: String, error: String) {
    let recording = RecordingTerminal()
    let status = await TaxiProgram(terminal: recording.terminal).run(arguments)
    return (status, recording.out, recording.error)
  }
}

/// The arguments of a command line. Two quotes are an empty one.
func words(_ line: String) -> [String] { line.split(separator: " ").map { $0 == "''" ? "" : String($0) } }
