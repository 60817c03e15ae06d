import Foundation
import SourceModel

/// Reads the sources below some folders in parallel, and keeps their facts but not their syntax trees.
package struct SourceScan: Sendable {
  /// The facts of the files, ordered by path.
  package let files: [FileFacts]
  /// The number of Swift files, including those unrelated to RIBs.
  package let count: Int

  /// A file to read.
  package struct Entry: Sendable {
    /// The path to display.
    package let path: String
    package let url: URL
    /// The module; empty if unknown.
    package let module: String
    /// Whether the module follows from names of folders only.
    package let isModuleGuessed: Bool
  }

  /// Reads files.
  ///
  /// - Parameters:
  ///   - progress: called occasionally with the number of files read.
  package static func read(_ entries: [Entry], progress: @Sendable (Int) -> Void = { _ in }) async -> SourceScan {
    await read(entries, beside: [], progress: progress) { _ in }.scan
  }

  /// Reads files, and computes another value from each while its syntax tree is available.
  ///
  /// - Parameters:
  ///   - words: words that make a file relevant, in addition to those that concern RIBs.
  ///   - progress: called occasionally with the number of files read.
  ///   - more: computes the other value.
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

  /// The files below a path. Excludes tests unless the path names them.
  ///
  /// - Parameters:
  ///   - path: a folder or a file.
  ///   - limit: the number of files and folders to look through; nil for no limit.
  /// - Returns: nil if the path does not exist.
  /// - Throws: `FileFinder.LimitExceeded` if there are more files and folders.
  package static func entries(
    below path: String, in folder: URL, limit: Int? = nil
  ) throws(FileFinder.LimitExceeded) -> [Entry]? {
    let url = URL(filePath: path, relativeTo: folder).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return nil }
    var modules = Modules()
    func entry(_ path: String, _ url: URL) -> Entry {
      let module = modules.module(of: url)
      return Entry(path: path, url: url, module: module.name, isModuleGuessed: module.isGuessed)
    }
    if !isFolder.boolValue { return [entry(path, url)] }
    let prefix = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
    return try FileFinder.swiftFiles(below: url, limit: limit).filter { !isTest($0) }
      .map { entry(prefix + $0, url.appending(path: $0)) }
  }

  /// Whether a folder or file is in a package, a project or a repository.
  package static func isInProject(_ path: String, in folder: URL) -> Bool {
    var url = URL(filePath: path, relativeTo: folder).standardizedFileURL
    while true {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      let isRoot = names.contains { name in
        ["Package.swift", "Project.swift", "Workspace.swift", ".git"].contains(name)
          || name.hasSuffix(".xcodeproj") || name.hasSuffix(".xcworkspace")
      }
      if isRoot { return true }
      let parent = url.deletingLastPathComponent().standardizedFileURL
      if parent.path == url.path || url.path == "/" { return false }
      url = parent
    }
  }

  /// Whether a file is a manifest or part of tests, by its name or its folders.
  private static func isTest(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    let manifests: Set<Substring> = ["Package.swift", "Project.swift", "Workspace.swift"]
    guard let name = parts.last, !manifests.contains(name), !name.hasSuffix("Tests.swift"),
      !name.hasSuffix("Mocks.swift")
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
    facts.isModuleGuessed = entry.isModuleGuessed
    return (facts, more(file))
  }

  /// Words of which a file that concerns RIBs contains at least one.
  private static let words = ["Rout", "Build", "build", "Component", "Listener", "Interact", "attachChild"]
}
