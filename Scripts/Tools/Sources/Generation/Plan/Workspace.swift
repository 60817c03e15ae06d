// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A package with unwritten changes. Commands read and edit it, and create plans from it.
public final class Workspace {
  /// The root folder of the package.
  public let root: URL
  /// The manifest; nil if it can't be read.
  public let package: PackageModel?

  private var originals: [String: Data] = [:]
  private var permissions: [String: Int] = [:]
  /// The changed files: the new contents, or nil for a deleted file.
  private var changed: [String: Data?] = [:]
  private var parsed: [String: SourceFile] = [:]
  private var declared: [String: [Declaration]] = [:]
  private var focus: PackageModel.Target?
  /// The cached source paths, until a file is added or removed.
  private var listed: [String]?
  private lazy var found = FileFinder.found(below: root)
  private lazy var known: Set<String> = Set(found.files)
  /// The folders of Xcode projects.
  private lazy var projects = Set(
    found.files.filter { $0.hasSuffix(".xcodeproj/project.pbxproj") }.map {
      $0.split(separator: "/").dropLast(2).joined(separator: "/")
    })
  /// The Swift files that can't be read, and the folders.
  private lazy var unreadable =
    found.unread
    + found.files.filter { $0.hasSuffix(".swift") }.compactMap { path in
      FileFinder.reasonNotToRead(try? original(of: path)).map { FileFinder.Unread(path: path, reason: $0) }
    }

  /// Opens a package.
  ///
  /// - Parameter root: the root folder of the package.
  public init(root: URL) {
    self.root = root.standardizedFileURL
    package = PackageModel(root: root)
  }

  /// Opens a folder.
  ///
  /// - Parameter limit: the number of files and folders to look through; nil for no limit.
  /// - Throws: `FileFinder.LimitExceeded` if there are more.
  public init(root: URL, limit: Int?) throws(FileFinder.LimitExceeded) {
    self.root = root.standardizedFileURL
    package = PackageModel(root: root)
    found = try FileFinder.found(below: self.root, limit: limit)
  }

  /// The paths of all files after the changes, sorted.
  public var paths: [String] { known.filter { !isDeleted($0) }.sorted() }

  /// The paths of the Swift files of all targets after the changes, sorted; of all Swift files, if the manifest
  /// declares no targets. With a focus, only those of its target and of the targets that depend on it.
  public var sourcePaths: [String] {
    if let listed { return listed }
    let list = paths.filter { $0.hasSuffix(".swift") && $0 != "Package.swift" && isInFocus($0) }
    listed = list
    return list
  }

  /// Runs a closure with the focus on one target. Ignores equal names in unrelated targets.
  ///
  /// - Parameter path: a file of the target.
  func focused<Result>(on path: String, _ body: () throws -> Result) rethrows -> Result {
    let outer = focus
    focus = package?.target(of: path)
    listed = nil
    defer {
      focus = outer
      listed = nil
    }
    return try body()
  }

  /// Sets the focus to one target and those that depend on it.
  public func focus(on name: String) throws {
    guard let target = package?.target(named: name) else {
      let names = package?.targets.map(\.name).joined(separator: ", ") ?? ""
      throw Failure.missing(
        "there is no target '\(name)' in Package.swift\(names.isEmpty ? "" : "; there are: \(names)")")
    }
    focus = target
    listed = nil
  }

  /// Throws if there is a source that an edit would pass over: one that can't be read, or one that has one of some words
  /// and can't be parsed or is in another place to which a symbolic link leads.
  ///
  /// - Complexity: reads all sources once.
  func refuseUnreadable(mentioning words: [String]) throws {
    var unread = unreadable.filter { isInFocus($0.path) || !$0.path.hasSuffix(".swift") }
    for path in Set(words.flatMap { paths(mentioning: $0) }) where parsed[path] == nil {
      guard let reason = FileFinder.reasonNotToParse(try data(at: path)) else { continue }
      unread.append(FileFinder.Unread(path: path, reason: reason))
    }
    unread += linked(sourcePaths).filter { file in words.contains { (try? mentions($0, at: file.path)) ?? true } }
    try Workspace.refuse(unread)
  }

  /// Throws if one of some files is in another place to which a symbolic link leads.
  func refuseLinked(_ paths: [String]) throws { try Workspace.refuse(linked(paths)) }

  private func linked(_ paths: [String]) -> [FileFinder.Unread] {
    Set(found.linked).intersection(paths).map {
      FileFinder.Unread(path: $0, reason: "a symbolic link leads to it, and the edit would change other folders")
    }
  }

  private static func refuse(_ unread: [FileFinder.Unread]) throws {
    if unread.isEmpty { return }
    throw Failure.refused("the edit would pass over files", advice: Set(unread.map(\.description)).sorted())
  }

  /// Whether a file belongs to tests, by its target, or by its folders and name if it is in no target.
  func isTest(_ path: String) -> Bool {
    if let target = package?.target(of: path) { return target.belongsToTests }
    let names = path.split(separator: "/").map { $0.split(separator: ".").first ?? $0 }
    let many = ["Tests", "Mocks", "Doubles", "TestSupport"]
    let one = ["Test", "Mock", "Double", "Spy", "Stub", "Fake"]
    // A folder such as SpeedTest may be that of a RIB.
    return names.dropLast().contains { name in many.contains(where: name.hasSuffix) || one.contains(String(name)) }
      || (many + one).contains { names.last?.hasSuffix($0) ?? false }
  }

  /// The module of a file: that of its target in this package, or in the innermost package around it; nil if it is unknown.
  func module(of path: String) -> String? {
    if let target = package?.target(of: path) { return target.module }
    var folder = path.split(separator: "/").dropLast()
    while !folder.isEmpty {
      let inner = folder.joined(separator: "/")
      if known.contains(inner + "/Package.swift") {
        return PackageModel(root: root.appending(path: inner))?.target(of: String(path.dropFirst(inner.count + 1)))?
          .module
      }
      folder = folder.dropLast()
    }
    return nil
  }

  /// Whether a file, or a folder with files, exists after the changes.
  public func exists(_ path: String) -> Bool {
    if paths.contains(where: { $0 == path || $0.hasPrefix(path + "/") }) { return true }
    // Items that are not listed, such as links; excludes folders, whose files are listed.
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder)
    return isThere && !isFolder.boolValue && !known.contains(path)
  }

  /// The contents of a file after the changes.
  public func data(at path: String) throws -> Data {
    if case .some(let change) = changed[path] {
      guard let change else { throw Failure.missing("there is no file '\(path)'") }
      return change
    }
    return try original(of: path)
  }

  /// A parsed Swift file after the changes.
  public func source(at path: String) throws -> SourceFile {
    if let file = parsed[path] { return file }
    let data = try data(at: path)
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure.refused("'\(path)' is not text in UTF-8")
    }
    if let reason = FileFinder.reasonNotToParse(data) { throw Failure.refused("\(path): \(reason)") }
    let file = SourceFile(path: path, text: text)
    parsed[path] = file
    return file
  }

  /// The Swift files that contain a word, after the changes. Skips files that are not UTF-8.
  public func sources(mentioning word: String) -> [SourceFile] {
    paths(mentioning: word).compactMap { try? source(at: $0) }
  }

  /// The paths of the Swift files that contain a word, after the changes.
  func paths(mentioning word: String) -> [String] {
    sourcePaths.filter { path in (try? mentions(word, at: path)) ?? false }
  }

  /// Whether a file contains a word, after the changes.
  func mentions(_ word: String, at path: String) throws -> Bool { try data(at: path).contains(word) }

  /// The declarations in the Swift files that contain a word.
  func declarations(mentioning word: String) -> [Declaration] {
    sources(mentioning: word).flatMap(declarations)
  }

  private func declarations(in file: SourceFile) -> [Declaration] {
    if let found = declared[file.path] { return found }
    let found = file.declarations
    declared[file.path] = found
    return found
  }

  /// The declarations of a name by some keywords. Parses only the files that may contain one.
  func declarations(of name: String, after keywords: [String]) -> [Declaration] {
    let paths = paths(mentioning: name).filter { (try? data(at: $0).contains(name, after: keywords)) == true }
    return paths.compactMap { try? source(at: $0) }.flatMap(declarations)
      .filter { $0.name == name && keywords.contains($0.kind.rawValue) }
  }

  /// Writes a file.
  public func write(_ text: String, to path: String) { write(Data(text.utf8), to: path) }

  /// Writes a new file with the line endings of the files around it.
  func writeNew(_ text: String, to path: String) {
    write(endsLinesWithReturns(near: path) ? text.replacing("\n", with: "\r\n") : text, to: path)
  }

  /// Whether the nearest source, in the folder or one above it, ends its lines with a carriage return and a line
  /// feed.
  private func endsLinesWithReturns(near path: String) -> Bool {
    var folder = path.split(separator: "/").dropLast()
    while true {
      let prefix = folder.map { $0 + "/" }.joined()
      if let near = sourcePaths.first(where: { $0.hasPrefix(prefix) && $0 != path }) {
        return (try? data(at: near).contains("\r\n")) ?? false
      }
      if folder.isEmpty { return false }
      folder = folder.dropLast()
    }
  }

  /// Deletes a file.
  public func delete(_ path: String) throws {
    _ = try data(at: path)
    // A hidden file was not listed.
    known.insert(path)
    changed[path] = .some(nil)
    forget(path)
    listed = nil
  }

  /// Moves a file.
  public func move(_ path: String, to destination: String) throws {
    let data = try data(at: path)
    try delete(path)
    write(data, to: destination)
    permissions[destination] = permissions[path]
  }

  /// The plan that writes all changes.
  public func plan() throws -> Plan {
    var changes: [FileChange] = []
    for (path, after) in changed {
      let before =
        known.contains(path) && FileManager.default.fileExists(atPath: root.appending(path: path).path)
        ? try original(of: path) : nil
      if before != after {
        changes.append(
          FileChange(path: path, before: before, after: after, permissions: before == nil ? permissions[path] : nil))
      }
    }
    return Plan(root: root, changes: changes)
  }

  /// A saved state of the workspace, to roll back to.
  public struct Mark {
    fileprivate let changed: [String: Data?]
    fileprivate let known: Set<String>
  }

  /// Saves the current state.
  public func mark() -> Mark { Mark(changed: changed, known: known) }

  /// Rolls back to a saved state.
  public func goBack(to mark: Mark) {
    for path in Set(changed.keys).union(mark.changed.keys) where changed[path] != mark.changed[path] {
      forget(path)
    }
    changed = mark.changed
    known = mark.known
    listed = nil
  }

  /// The Swift files that have changed since a saved state, as they were and as they are, sorted by path.
  func changes(since mark: Mark) throws -> [(before: SourceFile?, after: SourceFile?)] {
    let paths = Set(changed.keys).union(mark.changed.keys).filter { $0.hasSuffix(".swift") }
    return try paths.filter { changed[$0] != mark.changed[$0] }.sorted().map { path in
      let before: Data?
      if case .some(let data) = mark.changed[path] {
        before = data
      } else {
        before = mark.known.contains(path) ? try original(of: path) : nil
      }
      let text = before.map { String(decoding: $0, as: UTF8.self) }
      return (text.map { SourceFile(path: path, text: $0) }, isDeleted(path) ? nil : try source(at: path))
    }
  }

  private func write(_ data: Data, to path: String) {
    if known.insert(path).inserted || isDeleted(path) { listed = nil }
    changed[path] = .some(data)
    forget(path)
  }

  private func isInFocus(_ path: String) -> Bool {
    guard let package, !package.targets.isEmpty else { return true }
    guard let target = package.target(of: path) else { return focus == nil && isInProject(path) }
    return focus.map { target == $0 || target.dependencies.contains($0.name) } ?? true
  }

  /// Whether a file of no target is in the folder of an Xcode project, beside which the package is for something else, such
  /// as tools. Files of other packages in it are not.
  private func isInProject(_ path: String) -> Bool {
    guard !projects.isEmpty else { return false }
    var folder = path.split(separator: "/").dropLast()
    while true {
      if projects.contains(folder.joined(separator: "/")) { return true }
      if folder.isEmpty || known.contains((folder + ["Package.swift"]).joined(separator: "/")) { return false }
      folder = folder.dropLast()
    }
  }

  private func forget(_ path: String) {
    parsed[path] = nil
    declared[path] = nil
  }

  private func isDeleted(_ path: String) -> Bool {
    if case .some(.none) = changed[path] { true } else { false }
  }

  private func original(of path: String) throws -> Data {
    if let data = originals[path] { return data }
    let url = root.appending(path: path)
    guard let data = FileManager.default.contents(atPath: url.path) else {
      throw Failure.missing("there is no file '\(path)', or it can't be read")
    }
    originals[path] = data
    permissions[path] = FileMode(of: url.path, followsLinks: true)?.permissions
    return data
  }
}

extension Data {
  /// Whether the bytes contain a word.
  fileprivate func contains(_ word: String) -> Bool { offset(of: Array(word.utf8), from: 0) != nil }

  /// Whether one of some keywords may precede a word somewhere: white space, a quote or a comment stands in between.
  func contains(_ word: String, after keywords: [String]) -> Bool {
    let word = Array(word.utf8)
    var offset = 0
    while let found = self.offset(of: word, from: offset) {
      offset = found + 1
      var before = prefix(found)
      while let last = before.last, " \t\r\n`".utf8.contains(last) { before.removeLast() }
      if before.count == found { continue }
      if before.last == UInt8(ascii: "/") { return true }
      if keywords.contains(where: { before.suffix($0.utf8.count).elementsEqual($0.utf8) }) { return true }
    }
    return false
  }

  private func offset(of word: [UInt8], from start: Int) -> Int? {
    guard let first = word.first else { return start }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var offset = start
      while offset + word.count <= bytes.count,
        let found = memchr(base + offset, Int32(first), bytes.count - word.count + 1 - offset)
      {
        let place = UnsafeRawPointer(found) - base
        if memcmp(found, word, word.count) == 0 { return place }
        offset = place + 1
      }
      return nil
    }
  }
}
