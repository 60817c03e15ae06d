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
  package static func control(_ action: String) throws { try run(script, ["--control", action]) }

  fileprivate static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "../../../with-postgres"
  ).standardizedFileURL.path

  /// Runs SQL, and returns its lines.
  ///
  /// - Parameter url: the database; nil for that of `Scripts/with-postgres`.
  @discardableResult
  package static func run(_ sql: String, at url: String? = nil) throws -> [String] {
    let arguments = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql]
    return try run("/usr/bin/env", arguments + (url.map { [$0] } ?? []))
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

/// A second server, which `Scripts/with-postgres` starts, and which ends with `end()`.
package final class OtherServer {
  /// The URL, as that of the first one.
  package let url: String
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  package init() throws {
    process.executableURL = URL(fileURLWithPath: Database.script)
    process.arguments = ["bash", "-c", "echo $RIBS_POSTGRES && cat >/dev/null"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    guard !line.isEmpty else { throw Database.Failed(command: Database.script) }
    url = String(decoding: line, as: UTF8.self)
  }

  /// Runs SQL, and returns its lines.
  @discardableResult
  package func run(_ sql: String) throws -> [String] { try Database.run(sql, at: url) }

  package func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
