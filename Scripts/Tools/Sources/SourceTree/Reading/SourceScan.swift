// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel

/// Reads the sources below some folders in parallel, and keeps their facts but not their syntax trees.
package struct SourceScan: Sendable {
  /// The facts of the files, ordered by path.
  package let files: [FileFacts]
  /// The number of Swift files, including those unrelated to RIBs.
  package let count: Int
  /// What could not be read, ordered by path.
  package let unread: [FileFinder.Unread]

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
    var found: [Read<More>?] = Array(repeating: nil, count: entries.count)
    await withTaskGroup(of: (Int, Read<More>).self) { group in
      var next = 0
      var done = 0
      while next < entries.count || done < entries.count {
        while next < entries.count && next - done < width * 2 {
          group.addTask { [next, entry = entries[next]] in (next, read(entry, words, more)) }
          next += 1
        }
        guard let (index, read) = await group.next() else { break }
        found[index] = read
        done += 1
        progress(done)
      }
    }
    let unread = zip(entries, found).compactMap { entry, read in
      read?.problem.map { FileFinder.Unread(path: entry.path, reason: $0) }
    }
    let scan = SourceScan(files: found.compactMap { $0?.facts }, count: entries.count, unread: unread)
    return (scan, found.compactMap { $0?.more })
  }

  /// The same with more that could not be read.
  package func adding(_ more: [FileFinder.Unread]) -> SourceScan {
    SourceScan(files: files, count: count, unread: Set(unread + more).sorted { $0.path < $1.path })
  }

  /// The files below a path. Excludes tests unless the path names them.
  package static func entries(
    below path: String, in folder: URL, limit: Int? = nil
  ) throws(FileFinder.LimitExceeded) -> [Entry]? {
    try found(below: path, in: folder, limit: limit)?.files
  }

  /// The files below a path. Excludes tests unless the path names them.
  ///
  /// - Parameters:
  ///   - path: a folder or a file.
  ///   - limit: the number of files and folders to look through; nil for no limit.
  /// - Returns: the files, and what can't be read; nil if the path does not exist.
  /// - Throws: `FileFinder.LimitExceeded` if there are more files and folders.
  package static func found(
    below path: String, in folder: URL, limit: Int?
  ) throws(FileFinder.LimitExceeded) -> (files: [Entry], unread: [FileFinder.Unread])? {
    let url = URL(filePath: path, relativeTo: folder).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return nil }
    var modules = Modules()
    func entry(_ path: String, _ url: URL, in module: Modules.Module) -> Entry {
      Entry(path: path, url: url, module: module.name, isModuleGuessed: module.isGuessed)
    }
    if !isFolder.boolValue { return ([entry(path, url, in: modules.module(of: url))], []) }
    let prefix = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
    let found = try FileFinder.found(below: url, limit: limit)
    let files = found.files.filter { $0.hasSuffix(".swift") }.compactMap { path -> Entry? in
      let url = url.appending(path: path)
      let module = modules.module(of: url)
      return isTest(path, in: module) ? nil : entry(prefix + path, url, in: module)
    }
    let unread = found.unread.filter { !isTest($0.path, in: modules.module(of: url.appending(path: $0.path))) }
    return (files, unread.map { FileFinder.Unread(path: prefix + $0.path, reason: $0.reason) })
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

  /// Whether a file is a manifest or part of tests, by its name or its folders unless its module says that it is not.
  private static func isTest(_ path: String, in module: Modules.Module) -> Bool {
    let parts = path.split(separator: "/")
    if parts.last == "Package.swift" { return true }
    if module.belongsToTests == false { return false }
    let manifests: Set<Substring> = ["Project.swift", "Workspace.swift"]
    guard let name = parts.last, !manifests.contains(name), !name.hasSuffix("Tests.swift"),
      !name.hasSuffix("Mocks.swift")
    else { return true }
    return parts.dropLast().contains { part in
      part == "Tests" || part == "Test" || part == "Mocks" || part.hasSuffix("Tests") || part.hasSuffix("TestSupport")
    }
  }

  /// What reading a file has given.
  private struct Read<More: Sendable>: Sendable {
    var facts: FileFacts?
    var more: More?
    /// The reason why it can't be read.
    var problem: String?
  }

  private static func read<More>(_ entry: Entry, _ words: [Data], _ more: (SourceFile) -> More) -> Read<More> {
    let data = FileManager.default.contents(atPath: entry.url.path)
    var read = Read<More>(problem: FileFinder.reasonNotToRead(data))
    guard let data, words.contains(where: { data.firstRange(of: $0) != nil }) else { return read }
    if let problem = FileFinder.reasonNotToParse(data) { return Read(problem: problem) }
    let text = String(decoding: data, as: UTF8.self)
    let file = SourceFile(path: entry.path, text: text)
    var facts = FactsReader.facts(of: file)
    facts.module = entry.module
    facts.isModuleGuessed = entry.isModuleGuessed
    read.facts = facts
    read.more = more(file)
    return read
  }

  /// Words of which a file that concerns RIBs contains at least one.
  private static let words = ["Rout", "Build", "build", "Component", "Listener", "Interact", "attachChild"]
}
