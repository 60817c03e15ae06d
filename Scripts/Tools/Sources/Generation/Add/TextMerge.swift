// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Merges three versions of a text with git.
enum TextMerge {
  /// A merged text, and the number of places in it that are marked as conflicts.
  struct Result {
    let text: String
    let conflicts: Int
  }

  private static let begin = "<<<<<<< "
  private static let end = ">>>>>>> "

  /// The text with the changes of both sides since their common version. Places that both have changed in other ways are
  /// there in both versions, between the markers of git.
  ///
  /// - Throws: `Failure.refused` if there is no git, or it fails.
  static func merged(mine: String, base: String, theirs: String) throws -> Result {
    try ScratchFolder.with([("mine", mine), ("base", base), ("theirs", theirs)]) { scratch in
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        [
          "git", "merge-file", "-p", "-L", "yours", "-L", "template as copied", "-L", "template", "mine", "base",
          "theirs",
        ]
      process.currentDirectoryURL = scratch
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      let status = process.terminationStatus
      // The status is the number of conflicts, up to 127, which is also that of a command that does not exist.
      let isMarked = hasMarkers(text)
      guard process.terminationReason == .exit, status <= 127, isMarked == (status > 0) else {
        throw Failure.refused(
          "'git merge-file' could not merge the changes, or there is no git in PATH",
          advice: ["Changes are merged by git: install it, and run the command again."])
      }
      return Result(text: text, conflicts: Int(status))
    }
  }

  /// Whether a text has places that are marked as conflicts.
  static func hasMarkers(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline)
    return lines.contains { $0.hasPrefix(begin) } && lines.contains { $0.hasPrefix(end) }
  }
}
