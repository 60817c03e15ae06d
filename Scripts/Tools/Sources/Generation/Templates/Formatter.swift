// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Formats new code with the toolchain's formatter and the package's configuration.
enum Formatter {
  /// The formatted texts.
  ///
  /// - Parameters:
  ///   - files: the files, each with another path, which errors name.
  ///   - folder: the package whose `.swift-format` applies; the formatter's defaults apply if it has none.
  /// - Throws: `Failure.refused` if a text is not valid Swift.
  static func laidOut(_ files: [(path: String, text: String)], near folder: URL) throws -> [String] {
    if files.isEmpty { return [] }
    return try ScratchFolder.with(files) { scratch in
      var arguments = ["swift", "format", "--in-place"]
      if let configuration = LayoutStyle.file(near: folder) {
        arguments += ["--configuration", configuration.path]
      }
      let process = Process()
      let errors = Pipe()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = arguments + files.map(\.path)
      process.currentDirectoryURL = scratch
      process.standardError = errors
      try process.run()
      let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure.refused(
          "what the templates make can't be laid out by swift format",
          advice: said.replacing(scratch.path + "/", with: "").split(separator: "\n").map(String.init))
      }
      return try files.map { try String(contentsOf: scratch.appending(path: $0.path), encoding: .utf8) }
    }
  }
}
