// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Creates the journal of a plan, and checks before the first write that the plan can be executed.
struct JournalBuilder {
  let plan: Plan
  let files: any FileSystem

  /// Creates the journal. Writes nothing.
  ///
  /// - Throws: `Failure.refused` if a file has changed since the plan was made, or something can't be written.
  func journal() throws -> Journal {
    try checkPaths()
    let entries = try plan.changes.map(entry)
    let created = missingFolders.map { Journal.Folder(path: $0, permissions: nil) }
    let removed = try emptiedFolders().map {
      Journal.Folder(path: $0, permissions: try files.permissions(of: url($0)))
    }
    try checkFolders(removed: removed.map(\.path))
    return Journal(entries: entries, created: created, removed: removed)
  }

  private func url(_ path: String) -> URL { path.isEmpty ? plan.root : plan.root.appending(path: path) }

  private static func folder(of path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/") }

  /// The folders that contain a path, outermost first, without the root.
  private static func folders(of path: String) -> [String] {
    let pieces = path.split(separator: "/").dropLast()
    return pieces.indices.map { pieces[...$0].joined(separator: "/") }
  }

  private func checkPaths() throws {
    let gone = Set(plan.changes.filter { $0.after == nil }.map(\.path))
    for change in plan.changes {
      guard change.path.split(separator: "/").allSatisfy({ $0 != ".." }) else {
        throw Failure.refused("'\(change.path)' is outside of \(plan.root.path)")
      }
      guard change.after != nil else { continue }
      // All creations precede all deletions, so a new folder can't replace a deleted file.
      for folder in JournalBuilder.folders(of: change.path) where gone.contains(folder) {
        throw Failure.refused("'\(folder)' is a file, and would have to be a folder for '\(change.path)'")
      }
    }
  }

  private func entry(_ change: FileChange) throws -> Journal.Entry {
    let file = url(change.path)
    let kind = files.kind(of: file)
    if kind == .other {
      throw Failure.refused("'\(change.path)' is a symbolic link, which an edit neither moves nor changes")
    }
    let changed = Failure.refused("'\(change.path)' was changed by another program at the same time; try again")
    guard let before = change.before else {
      if kind == .folder { throw Failure.refused("there is a folder '\(change.path)'") }
      if kind != nil { throw changed }
      let after = change.after.map { Journal.Version(data: $0, permissions: change.permissions) }
      return Journal.Entry(path: change.path, before: nil, after: after)
    }
    guard kind == .file, let now = try? files.contents(of: file), now == before else { throw changed }
    guard files.isWritable(file) else { throw Failure.refused("'\(change.path)' is write-protected") }
    let permissions = try files.permissions(of: file)
    return Journal.Entry(
      path: change.path, before: Journal.Version(data: before, permissions: permissions),
      after: change.after.map { Journal.Version(data: $0, permissions: permissions) })
  }

  /// The folders to create, outermost first.
  private var missingFolders: [String] {
    let folders = Set(plan.changes.filter { $0.after != nil }.flatMap { JournalBuilder.folders(of: $0.path) })
    return folders.filter { !files.exists(url($0)) }.sorted { $0.utf8.count < $1.utf8.count }
  }

  /// The folders that become empty, outermost first.
  private func emptiedFolders() throws -> [String] {
    var gone = Set(plan.changes.filter { $0.after == nil }.map(\.path))
    let used = Set(plan.changes.filter { $0.after != nil }.flatMap { JournalBuilder.folders(of: $0.path) })
    var removed: [String] = []
    // Longer paths first, so that a folder follows its subfolders.
    let candidates = Set(gone.flatMap(JournalBuilder.folders)).subtracting(used)
    for folder in candidates.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      guard try files.entries(of: url(folder)).allSatisfy({ gone.contains(folder + "/" + $0) }) else { continue }
      gone.insert(folder)
      removed.append(folder)
    }
    return removed.reversed()
  }

  /// Checks that this process may create and remove entries in all affected folders.
  private func checkFolders(removed: [String]) throws {
    var touched: Set<String> = [""]
    for path in plan.changes.map(\.path) + removed {
      var folder = JournalBuilder.folder(of: path)
      while !folder.isEmpty && !files.exists(url(folder)) { folder = JournalBuilder.folder(of: folder) }
      touched.insert(folder)
    }
    for folder in touched.sorted() {
      let name = folder.isEmpty ? plan.root.path : folder
      switch files.kind(of: url(folder)) {
      case .file: throw Failure.refused("'\(name)' is a file, and would have to be a folder")
      case nil: throw Failure.refused("there is no folder '\(name)'")
      // A link to a folder, such as one that leads to the package.
      case .folder, .other: break
      }
      guard files.isWritable(url(folder)) else {
        throw Failure.refused("there is no permission to write in the folder '\(name)'")
      }
    }
  }
}
