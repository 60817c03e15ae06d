import Foundation

/// The `taxi` program as a process of its own.
final class TaxiProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  /// Starts it.
  ///
  /// - Parameters:
  ///   - arguments: what it is told to do. What it reads comes from `send(_:)`.
  ///   - output: where its standard output goes, if not to `result()`.
  init(_ arguments: [String], output: FileHandle? = nil) throws {
    process.executableURL = try TaxiProcess.program()
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output ?? self.output.fileHandleForWriting
    process.standardError = errors
    try process.run()
    // So that its end is the end of what can be read.
    try self.output.fileHandleForWriting.close()
  }

  /// Hands it something to read.
  func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  func closeInput() throws { try input.fileHandleForWriting.close() }

  func send(signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits until it has written a line to standard error.
  func waitForErrorLine() throws -> String {
    var line = Data()
    while let byte = try errors.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
    return String(decoding: line, as: UTF8.self)
  }

  /// Waits until it has ended: its exit status, and the rest of what it wrote.
  func result() throws -> (status: Int32, out: String, error: String) {
    let out = try output.fileHandleForReading.readToEnd() ?? Data()
    let error = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: out, as: UTF8.self), String(decoding: error, as: UTF8.self))
  }

  /// The program that was built beside these tests; on Apple platforms they are in a bundle.
  private static func program() throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    for _ in 0..<4 {
      let program = folder.appending(path: "taxi")
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
      folder.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
