// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

/// Runs the tool as a process.
struct Tool {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// The executable: the one in RIBS_TEST_TOOL, such as a release build, or else the one built with the tests.
  static var url: URL {
    ProcessInfo.processInfo.environment["RIBS_TEST_TOOL"].map { URL(filePath: $0) } ?? products.appending(path: "ribs")
  }

  /// The folder of the build products.
  static var products: URL {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(filePath: bundle)
    while folder.path != "/" && !FileManager.default.isExecutableFile(atPath: folder.appending(path: "ribs").path) {
      folder = folder.deletingLastPathComponent().standardizedFileURL
    }
    return folder
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
    let stdin = Pipe()
    // Files instead of pipes: they can't block the process, regardless of the amount and order of output.
    let scratch = TemporaryFolder()
    let (output, errors) = (scratch.url.appending(path: "output"), scratch.url.appending(path: "errors"))
    for file in [output, errors] { try Data().write(to: file) }
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = stdin
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run(forAtMost: 900)
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test of what hardly changes and takes long, unless a release build of the tool is tested.
  static var ofInstalledTool: Self {
    .enabled(if: ProcessInfo.processInfo.environment["RIBS_TEST_TOOL"] != nil, "Scripts/test installed runs this")
  }
}
