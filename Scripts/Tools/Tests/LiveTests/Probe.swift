import Foundation
import Testing

/// A process that shows its trees, with a directory for its socket.
final class Probe {
  let directory: String
  let program: Program
  let socket: String
  var id: Int32 { program.process.processIdentifier }

  init(trees: Int = 1, in directory: String? = nil) throws {
    // Short, because the path of a socket may have no more than a hundred bytes.
    self.directory = directory ?? "/tmp/ribs-live-\(UInt32.random(in: .min ... .max))"
    program = try Program("LiveProbe", [self.directory, String(trees)])
    socket = try #require(program.output.line())
  }

  deinit {
    program.send(SIGKILL)
    program.process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Has it do something, and waits until it is done.
  func tell(_ line: String) throws {
    try program.say(line)
    #expect(program.output.line() == "done")
  }

  /// Starts the tool, which looks at this process and those that share its directory.
  func ribs(_ arguments: String..., terminal: FileHandle? = nil) throws -> Program {
    try Program("ribs", arguments + ["--directory", directory], terminal: terminal)
  }

  /// Runs the tool to its end.
  func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program("ribs", arguments + ["--directory", directory]).outcome()
  }

  func run(_ arguments: String...) throws -> Program.Outcome { try run(arguments) }
}

extension [String] {
  /// The lines with dots for how long something has been.
  var ageless: [String] {
    map {
      $0.replacing(#/\b[0-9]+(ms|s|m|h|d)( [0-9]+[smh])?\b/#, with: "…").replacing(#/[0-9]+\.[0-9]{3}/#, with: "…")
    }
  }
}
