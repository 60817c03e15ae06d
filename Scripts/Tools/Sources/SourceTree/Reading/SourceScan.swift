import Foundation
import SourceModel

/// Reads the sources below some folders, several files at a time, and keeps what they say and not their syntax.
package struct SourceScan: Sendable {
  /// What the files say, in the order of their paths.
  package let files: [FileFacts]
  /// How many Swift files there are, those included that have nothing to do with RIBs.
  package let count: Int

  /// A file that is to be read.
  package struct Entry: Sendable {
    /// The path that is shown.
    package let path: String
    package let url: URL
    /// The module it belongs to; empty if that is not known.
    package let module: String
  }

  /// Reads files.
  ///
  /// - Parameters:
  ///   - progress: called now and then with how many files have been read.
  package static func read(_ entries: [Entry], progress: @Sendable (Int) -> Void = { _ in }) async -> SourceScan {
    await read(entries, beside: [], progress: progress) { _ in }.scan
  }

  /// Reads files, and something more of each while its syntax is there.
  ///
  /// - Parameters:
  ///   - words: files are read that say one of these, beside those that have to do with RIBs.
  ///   - progress: called now and then with how many files have been read.
  ///   - more: reads it.
  package static func read<More: Sendable>(
    _ entries: [Entry], beside words: [String], progress: @Sendable (Int) -> Void = { _ in },
    more: @escaping @Sendable (SourceFile) -> More
  ) async -> (scan: SourceScan, more: [More]) {
    let width = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let words = (Self.words + words).map { Data($0.utf8) }
    var found: [(facts: FileFacts, more: More)?] = Array(repeating: nil, count: entries.count)
    await withTaskGroup(of: (Int, (FileFacts, More)?).self) { group in
      var next = 0
      var done = 0
      while next < entries.count || done < entries.count {
        while next < entries.count && next - done < width * 2 {
          group.addTask { [next, entry = entries[next]] in (next, facts(of: entry, words, more)) }
          next += 1
        }
        guard let (index, facts) = await group.next() else { break }
        found[index] = facts
        done += 1
        progress(done)
      }
    }
    let scan = SourceScan(files: found.compactMap { $0?.facts }, count: entries.count)
    return (scan, found.compactMap { $0?.more })
  }

  /// The files below some paths, those of tests left out unless they are asked for by name.
  ///
  /// - Parameter paths: folders or files.
  /// - Returns: nil for a path that is not there, in its place.
  package static func entries(below path: String, in folder: URL) -> [Entry]? {
    let url = URL(filePath: path, relativeTo: folder).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return nil }
    var modules = Modules()
    if !isFolder.boolValue { return [Entry(path: path, url: url, module: modules.name(of: url))] }
    let prefix = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
    return FileFinder.swiftFiles(below: url).filter { !isTest($0) }
      .map { relative in
        let file = url.appending(path: relative)
        return Entry(path: prefix + relative, url: file, module: modules.name(of: file))
      }
  }

  /// Whether a file is part of tests, by its name or the folders it is in, or is a manifest.
  private static func isTest(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let name = parts.last, name != "Package.swift", !name.hasSuffix("Tests.swift"), !name.hasSuffix("Mocks.swift")
    else { return true }
    return parts.dropLast().contains { part in
      part == "Tests" || part == "Test" || part == "Mocks" || part.hasSuffix("Tests") || part.hasSuffix("TestSupport")
    }
  }

  private static func facts<More>(
    of entry: Entry, _ words: [Data], _ more: (SourceFile) -> More
  ) -> (FileFacts, More)? {
    guard let data = FileManager.default.contents(atPath: entry.url.path) else { return nil }
    guard words.contains(where: { data.firstRange(of: $0) != nil }) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    let file = SourceFile(path: entry.path, text: text)
    var facts = FactsReader.facts(of: file)
    facts.module = entry.module
    return (facts, more(file))
  }

  /// A file that says none of this has nothing to do with RIBs.
  private static let words = ["Rout", "Build", "build", "Component", "Listener", "Interact", "attachChild"]
}
