// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestDatabase

/// The cluster of `Scripts/with-patroni`.
enum Cluster {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../../with-patroni").standardizedFileURL

  /// Runs an action, and returns what it prints.
  @discardableResult
  static func control(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = script
    process.arguments = ["--control"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Database.Failed(command: "with-patroni --control \(arguments.joined(separator: " "))")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The name of the server with a role; nil if there is none.
  static func name(_ role: String) -> String? { try? control("name", role) }

  /// The ports of the servers, or that of HAProxy.
  static func ports(byProxy: Bool) throws -> [UInt16] {
    let variable = byProxy ? "RIBS_POSTGRES_PROXY" : "RIBS_POSTGRES"
    let url = ProcessInfo.processInfo.environment[variable] ?? ""
    let ports = url.split { "@/".contains($0) }.dropFirst(2).first?.split(separator: ",").compactMap {
      UInt16($0.split(separator: ":").last ?? "")
    }
    guard let ports, !ports.isEmpty else { throw Database.Failed(command: "Start this by Scripts/with-patroni.") }
    return ports
  }

  /// The replicas that receive the log, and that commits wait for, as the primary sees them.
  static func isWhole(isSynchronous: Bool) -> Bool {
    let counts = try? Database.run(
      """
      SELECT count(*) || ' ' || count(*) FILTER (WHERE sync_state IN ('sync', 'quorum'))
        FROM pg_stat_replication WHERE state = 'streaming' AND application_name <> 'pg_basebackup'
      """)
    return counts == [isSynchronous ? "2 1" : "2 0"] && name("primary") != nil
      && (name("sync") != nil) == isSynchronous
  }
}

/// A file to which servers append a line when a tree is ended by another owner, or their lease ends.
enum TreeEvents {
  static let variable = "RIBS_OWNERS_EVENTS"

  /// Then no tree is ended because it is idle: a repeated release of one that another process has claimed looks the same.
  static var areRecorded: Bool { ProcessInfo.processInfo.environment[variable] != nil }

  static func append(_ line: String) {
    guard let path = ProcessInfo.processInfo.environment[variable] else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    if file >= 0 {
      writeLine(line, to: file)
      close(file)
    }
  }

  static func lines(of path: String) -> [String] {
    (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
  }
}
