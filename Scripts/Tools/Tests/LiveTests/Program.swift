import Foundation
import Support

/// A program that runs during a test: the tool, or the process it inspects. Terminates on deinitialization.
final class Program {
  let process = Process()
  let output: LineReader
  let errors: LineReader
  private let input = Pipe()

  /// - Parameters:
  ///   - name: the name of the build product.
  ///   - terminal: the terminal for its output, instead of a pipe.
  init(_ name: String, _ arguments: [String], terminal: FileHandle? = nil) throws {
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = try Program.tool(name) ?? Program.products.appending(path: name)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = terminal ?? output
    process.standardError = errors
    self.output = LineReader(output.fileHandleForReading)
    self.errors = LineReader(errors.fileHandleForReading)
    try process.run(forAtMost: 300)
    if terminal != nil { try output.fileHandleForWriting.close() }
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  func say(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

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

  /// The tool in RIBS_TEST_TOOL, such as a release build.
  private static func tool(_ name: String) -> URL? {
    name == "ribs" ? ProcessInfo.processInfo.environment["RIBS_TEST_TOOL"].map { URL(filePath: $0) } : nil
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
