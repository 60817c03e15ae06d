// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support

/// A program that runs during a test: the tool, or the process it inspects. Terminates on deinitialization.
final class Program {
  let process = Process()
  let output: LineReader
  let errors: LineReader
  private let input = Pipe()

  /// - Parameters:
  ///   - name: the name of the build product, or the path of another program.
  ///   - terminal: the terminal for its output, instead of a pipe.
  ///   - environment: variables that differ from those of the tests.
  init(
    _ name: String, _ arguments: [String], terminal: FileHandle? = nil, environment: [String: String] = [:]
  ) throws {
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = try Program.url(name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = terminal ?? output
    process.standardError = errors
    self.output = LineReader(output.fileHandleForReading)
    self.errors = LineReader(errors.fileHandleForReading)
    try process.run(forAtMost: 900)
    if terminal != nil { try output.fileHandleForWriting.close() }
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  func say(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Writes keys to the standard input.
  func press(_ keys: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Whether there is unread output.
  var hasOutput: Bool { output.hasInput }

  struct Outcome {
    let status: Int32
    let output: [String]
    let errors: [String]
  }

  /// The remaining output, and the exit status.
  func outcome() -> Outcome {
    let (output, errors) = (output.lines(), errors.lines())
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: output, errors: errors)
  }

  /// The executable of a build product, or of a path.
  static func url(_ name: String) throws -> URL {
    try name.contains("/") ? URL(filePath: name) : tool(name) ?? products.appending(path: name)
  }

  /// The tool in RIBS_TEST_TOOL, such as a release build.
  private static func tool(_ name: String) -> URL? {
    name == "ribs-live" ? ProcessInfo.processInfo.environment["RIBS_TEST_TOOL"].map { URL(filePath: $0) } : nil
  }

  /// The folder of the build products.
  private static var products: URL {
    get throws {
      let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
      var folder = URL(filePath: bundle)
      while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "LiveProbe").path) {
        guard folder.path != "/" else { throw CocoaError(.fileNoSuchFile) }
        folder = folder.deletingLastPathComponent().standardizedFileURL
      }
      return folder
    }
  }
}
