// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation
import SourceModel
import SourceTree

/// Options of all commands that read sources.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "The maximum number of files and folders to search outside of packages, projects and repositories; 0 for no limit.",
      valueName: "number"))
  var limit = 20_000

  /// Reads the Swift files below some paths. Shows progress on a terminal if it takes long.
  func scan(_ paths: [String]) async throws -> SourceScan { try await scan(paths, beside: []) { _ in }.scan }

  /// Also computes a value from each file.
  func scan<More: Sendable>(
    _ paths: [String], beside words: [String], more: @escaping @Sendable (SourceFile) -> More
  ) async throws -> (scan: SourceScan, more: [More]) {
    var known: Set<String> = []
    let found = try (paths.isEmpty ? ["."] : paths).map { try self.entries(below: $0) }
    let entries = found.flatMap(\.files).filter { known.insert($0.url.path).inserted }
    let shows = !output.quiet && isatty(FileHandle.standardError.fileDescriptor) == 1 && entries.count >= 500
    let progress: @Sendable (Int) -> Void = { done in
      if shows && done % 100 == 0 { Self.write("\rreading \(done) of \(entries.count) files") }
    }
    let read = await SourceScan.read(entries, beside: words, progress: progress, more: more)
    if shows { Self.write("\r\u{1B}[K") }
    return (read.scan.adding(found.flatMap(\.unread)), read.more)
  }

  /// Prints what could not be read.
  ///
  /// - Throws: the exit status 73 if there is any, because the result is incomplete then.
  func refuseUnread(_ scan: SourceScan) throws {
    if scan.unread.isEmpty { return }
    for unread in scan.unread { note("not read: \(unread)") }
    note("\(scan.unread.count) not read, so the result may be incomplete")
    throw ExitCode(73)
  }

  /// The Swift files below a path, and what can't be read.
  private func entries(below path: String) throws -> (files: [SourceScan.Entry], unread: [FileFinder.Unread]) {
    let limit = limit > 0 && !SourceScan.isInProject(path, in: Folder.current) ? limit : nil
    do {
      if let found = try SourceScan.found(below: path, in: Folder.current, limit: limit) { return found }
    } catch {
      throw Failure.usage(
        "'\(path)' has more than \(error.limit) files and folders, and is in no package, project or repository; "
          + "name the folders to read, or set --limit")
    }
    throw Failure.missing("there is no file or folder '\(path)'")
  }

  func say(_ line: String) { output.say(line) }

  func note(_ line: String) { output.note(line) }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
