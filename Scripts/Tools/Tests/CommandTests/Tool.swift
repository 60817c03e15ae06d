import Foundation

/// The tool that was built with the tests.
struct Tool {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// The program, beside that of the tests.
  static var url: URL {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(filePath: bundle)
    while folder.path != "/" && !FileManager.default.isExecutableFile(atPath: folder.appending(path: "ribs").path) {
      folder = folder.deletingLastPathComponent().standardizedFileURL
    }
    return folder.appending(path: "ribs")
  }

  /// This repository.
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../..").standardizedFileURL

  /// Runs the tool in a folder.
  static func run(_ arguments: String..., in folder: URL, input: String = "") throws -> Outcome {
    try run(url, arguments, in: folder, input: input)
  }

  /// Runs a program in a folder.
  static func run(_ program: URL, _ arguments: [String], in folder: URL, input: String = "") throws -> Outcome {
    let process = Process()
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    // Errors are short; a pipe holds them.
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }
}
