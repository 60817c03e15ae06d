import ArgumentParser
import Foundation
import Generation
import SourceModel
import SourceTree

/// What all commands take that read sources.
struct ReadingOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Say nothing beside the result.")
  var quiet = false

  /// Reads the Swift files below some paths, and shows how far it is where that takes long and somebody looks on.
  func scan(_ paths: [String]) async throws -> SourceScan { try await scan(paths, beside: []) { _ in }.scan }

  /// The same, with something more of each file.
  func scan<More: Sendable>(
    _ paths: [String], beside words: [String], more: @escaping @Sendable (SourceFile) -> More
  ) async throws -> (scan: SourceScan, more: [More]) {
    var known: Set<String> = []
    let entries = try (paths.isEmpty ? ["."] : paths).flatMap { path in
      guard let found = SourceScan.entries(below: path, in: Folder.current) else {
        throw Failure.missing("there is no file or folder '\(path)'")
      }
      return found.filter { known.insert($0.url.path).inserted }
    }
    let shows = !quiet && isatty(FileHandle.standardError.fileDescriptor) == 1 && entries.count >= 500
    let progress: @Sendable (Int) -> Void = { done in
      if shows && done % 100 == 0 { Self.write("\rreading \(done) of \(entries.count) files") }
    }
    let read = await SourceScan.read(entries, beside: words, progress: progress, more: more)
    if shows { Self.write("\r\u{1B}[K") }
    return read
  }

  /// Tells the user something, unless it is to be quiet.
  func say(_ line: String) {
    if !quiet { print(line) }
  }

  /// Tells the user something that is no result.
  func note(_ line: String) {
    if !quiet { Self.write("note: \(line)\n") }
  }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
