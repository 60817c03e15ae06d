// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Foundation

/// A system program that a test runs.
struct Program: Sendable {
  let path: String

  /// Finds a program by one of several names, in the folders of `PATH`.
  init?(_ names: String...) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    for name in names {
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
        path = "\(folder)/\(name)"
        return
      }
    }
    return nil
  }

  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the program and waits for its end. Blocks the thread.
  func run(_ arguments: [String], input: String = "", in folder: TemporaryFolder) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    // Files, because a full pipe would block the program.
    let (inputFile, outputFile, errorFile) = (folder.file("stdin"), folder.file("stdout"), folder.file("stderr"))
    try Data(input.utf8).write(to: inputFile)
    for file in [outputFile, errorFile] { try Data().write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run(forAtMost: 900)
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }
}
