// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The PostgreSQL server of `Scripts/with-postgres`, as `psql` and the script control it.
package enum Database {
  /// The connection URL; nil if there is no server.
  package static let url = ProcessInfo.processInfo.environment["RIBS_POSTGRES"]

  package struct Failed: Error {
    package let command: String

    package init(command: String) { self.command = command }
  }

  /// Kills, starts, stops or continues the server.
  package static func control(_ action: String) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../../with-postgres"
    ).standardizedFileURL.path
    try run(script, ["--control", action])
  }

  /// Runs SQL, and returns its lines.
  @discardableResult
  package static func run(_ sql: String) throws -> [String] {
    try run("/usr/bin/env", ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql])
      .split(separator: "\n").map(String.init)
  }

  @discardableResult
  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(command: ([program] + arguments).joined(separator: " "))
    }
    return String(decoding: data, as: UTF8.self)
  }
}
