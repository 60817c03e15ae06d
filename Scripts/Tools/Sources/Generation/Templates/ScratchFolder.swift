// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A temporary folder with files for another program.
enum ScratchFolder {
  /// Runs a closure with a new folder that has some files, and removes the folder afterwards.
  ///
  /// - Throws: `Failure.refused` if the folder can't be used, or the program can't be started.
  static func with<Result>(_ files: [(path: String, text: String)], _ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ribs-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      for (path, text) in files {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      return try body(folder)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure.refused("the temporary folder '\(folder.path)' can't be used: \(error.localizedDescription)")
    }
  }
}
