// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A session of psql that stays open.
package final class Session {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  package init() throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Runs SQL, and returns when it is done.
  package func run(_ sql: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(sql);\n\\echo done\n".utf8))
    var line: [UInt8] = []
    while line != Array("done".utf8) {
      line = []
      while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
        line.append(byte)
      }
      if line.isEmpty, !process.isRunning { throw Database.Failed(command: sql) }
    }
  }

  package func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
