// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Formats new code with the toolchain's formatter and the package's configuration.
enum Formatter {
  /// The formatted texts.
  ///
  /// - Parameter folder: the package whose `.swift-format` applies; the formatter's defaults apply if it has none.
  /// - Throws: `Failure.refused` if a text is not valid Swift.
  static func laidOut(_ files: [(name: String, text: String)], near folder: URL) throws -> [String] {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "ribs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    for file in files { try Data(file.text.utf8).write(to: scratch.appending(path: file.name)) }
    var arguments = ["swift", "format", "--in-place"]
    if let configuration = LayoutStyle.file(near: folder) {
      arguments += ["--configuration", configuration.path]
    }
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments + files.map(\.name)
    process.currentDirectoryURL = scratch
    process.standardError = errors
    try process.run()
    let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure.refused(
        "what the templates make can't be laid out by swift format",
        advice: said.split(separator: "\n").map(String.init))
    }
    return try files.map { try String(contentsOf: scratch.appending(path: $0.name), encoding: .utf8) }
  }
}
