import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Carries out a plan, whole or not at all, whenever the process is killed.
///
/// Everything new is first written to a folder beside the package's own, and synced. Then a journal is written there
/// that says which file goes where: from that moment the plan holds. Files are renamed into place one after the other,
/// and the folder is removed last. Whoever finds a journal finishes what it says; a folder without one is leavings of a
/// plan that never held, and goes, with the empty folders that were made for it.
public struct Transaction {
  /// The name of the folder in which a transaction prepares what it writes.
  public static let folderName = ".ribs-edit"

  private static let journalName = "journal.json"
  private static let foldersName = "folders.json"

  /// One thing left to do.
  struct Step: Codable, Hashable {
    /// The file with the new contents, in the folder of the transaction; nil to delete.
    let staged: String?
    /// Where it goes, relative to the root.
    let path: String
    /// What is there when the journal is written.
    let before: Data?
  }

  private let root: URL
  private let willChange: () -> Void
  private var folder: URL { root.appending(path: Transaction.folderName) }

  /// Prepares to write below a folder.
  ///
  /// - Parameter willChange: called before each change of the disk, however small.
  public init(root: URL, willChange: @escaping () -> Void = {}) {
    self.root = root
    self.willChange = willChange
  }

  /// Carries out a plan.
  ///
  /// One process at a time does so in a folder; others wait.
  ///
  /// - Parameter willChange: called before each change of the disk, however small; tests end the process there.
  /// - Throws: `Failure.refused` if a file is not as it was when the plan was made, or can't be written. Nothing is
  ///   changed then.
  public static func carryOut(_ plan: Plan, willChange: @escaping () -> Void = {}) throws {
    if plan.changes.isEmpty { return }
    try FolderLock.holding(plan.root) {
      let transaction = Transaction(root: plan.root, willChange: willChange)
      try transaction.finishWithoutLock()
      do {
        try transaction.check(plan)
        let steps = try transaction.holdOrAbandon(plan)
        try transaction.take(steps)
        try transaction.end()
      } catch let failure as Failure {
        throw failure
      } catch {
        throw Failure.refused("the files can't be written: \(error.localizedDescription)")
      }
    }
  }

  /// Finishes what a process began that was killed.
  ///
  /// - Returns: whether there was something to finish.
  @discardableResult
  public static func finish(in root: URL) throws -> Bool {
    let transaction = Transaction(root: root)
    guard FileManager.default.fileExists(atPath: transaction.folder.path) else { return false }
    return try FolderLock.holding(root) { try transaction.finishWithoutLock() }
  }

  @discardableResult
  private func finishWithoutLock() throws -> Bool {
    guard FileManager.default.fileExists(atPath: folder.path) else { return false }
    let journal = folder.appending(path: Transaction.journalName)
    guard let data = FileManager.default.contents(atPath: journal.path) else {
      try abandon()
      return false
    }
    do {
      try take(try JSONDecoder().decode([Step].self, from: data))
      try end()
      return true
    } catch {
      throw Failure.refused(
        "an earlier run was killed, and its edit can't be finished: \(error.localizedDescription)",
        advice: ["what is left of it is in \(folder.path); delete that folder to give the edit up"])
    }
  }

  // MARK: What is done, in order

  /// Looks whether everything is as it was when the plan was made, and can be written.
  func check(_ plan: Plan) throws {
    for change in plan.changes {
      let url = root.appending(path: change.path)
      guard change.path.split(separator: "/").allSatisfy({ $0 != ".." }) else {
        throw Failure.refused("'\(change.path)' is outside of \(root.path)")
      }
      let now = FileManager.default.contents(atPath: url.path)
      let isThere = FileManager.default.fileExists(atPath: url.path)
      if now != change.before || isThere != (change.before != nil) {
        throw Failure.refused("'\(change.path)' was changed by somebody else at the same time; try again")
      }
      if isThere && !FileManager.default.isWritableFile(atPath: url.path) {
        throw Failure.refused("'\(change.path)' is write-protected")
      }
    }
  }

  /// Writes everything new and the journal: afterwards the plan holds.
  func hold(_ plan: Plan) throws -> [Step] {
    willChange()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try writeSynced(
      try JSONEncoder().encode(missingFolders(of: plan)), to: folder.appending(path: Transaction.foldersName))
    var steps: [Step] = []
    for (index, change) in plan.changes.enumerated() {
      var staged: String?
      if let after = change.after {
        let name = "\(index)"
        try writeSynced(after, to: folder.appending(path: name))
        if let permissions = try self.permissions(of: change) {
          willChange()
          try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: folder.appending(path: name).path)
        }
        // Made now: a folder that can't be made must be found out before the plan holds.
        willChange()
        try FileManager.default.createDirectory(
          at: root.appending(path: change.path).deletingLastPathComponent(), withIntermediateDirectories: true)
        staged = name
      }
      steps.append(Step(staged: staged, path: change.path, before: change.before))
    }
    let draft = folder.appending(path: "journal.draft")
    try writeSynced(try JSONEncoder().encode(steps), to: draft)
    try renameFile(draft, to: folder.appending(path: Transaction.journalName))
    try sync(folder)
    return steps
  }

  private func holdOrAbandon(_ plan: Plan) throws -> [Step] {
    do {
      return try hold(plan)
    } catch {
      try? abandon()
      throw error
    }
  }

  /// Takes back what was prepared for a plan that does not hold.
  private func abandon() throws {
    let list = FileManager.default.contents(atPath: folder.appending(path: Transaction.foldersName).path)
    let folders = list.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
    // The innermost first. Those that others have put something into stay.
    for path in folders.reversed() {
      willChange()
      rmdir(root.appending(path: path).path)
    }
    willChange()
    try FileManager.default.removeItem(at: folder)
  }

  /// The folders that files of a plan go to and that are not there, the outermost first.
  private func missingFolders(of plan: Plan) -> [String] {
    var missing: Set<String> = []
    for change in plan.changes where change.after != nil {
      var folder = change.path.split(separator: "/").dropLast()
      while !folder.isEmpty,
        !FileManager.default.fileExists(atPath: root.appending(path: folder.joined(separator: "/")).path)
      {
        missing.insert(folder.joined(separator: "/"))
        folder = folder.dropLast()
      }
    }
    return missing.sorted { $0.utf8.count < $1.utf8.count }
  }

  /// Does all of it, one thing directly after the other.
  private func take(_ steps: [Step]) throws {
    for step in steps { try take(step) }
    let folders = Set(steps.compactMap { existingFolder(of: root.appending(path: $0.path)) })
    for folder in folders { try sync(folder) }
  }

  /// Does one thing, unless it is done already.
  func take(_ step: Step) throws {
    let destination = root.appending(path: step.path)
    if let staged = step.staged {
      let file = folder.appending(path: staged)
      guard FileManager.default.fileExists(atPath: file.path) else { return }
      let now = FileManager.default.contents(atPath: destination.path)
      guard now == step.before else { throw Failure.refused("'\(step.path)' was changed meanwhile") }
      try renameFile(file, to: destination)
    } else if let now = FileManager.default.contents(atPath: destination.path) {
      guard now == step.before else { throw Failure.refused("'\(step.path)' was changed meanwhile") }
      willChange()
      try FileManager.default.removeItem(at: destination)
    }
    if step.staged == nil { removeEmptyFolders(from: destination.deletingLastPathComponent()) }
  }

  /// Ends the transaction.
  func end() throws {
    willChange()
    try FileManager.default.removeItem(at: folder.appending(path: Transaction.journalName))
    willChange()
    try FileManager.default.removeItem(at: folder)
    try sync(root)
  }

  private func permissions(of change: FileChange) throws -> Int? {
    if change.before == nil { return change.permissions }
    let path = root.appending(path: change.path).path
    return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func removeEmptyFolders(from start: URL) {
    var folder = start.standardizedFileURL
    willChange()
    while folder.path.hasPrefix(root.path + "/"), rmdir(folder.path) == 0 {
      willChange()
      folder = folder.deletingLastPathComponent().standardizedFileURL
    }
  }

  private func existingFolder(of file: URL) -> URL? {
    let folder = file.deletingLastPathComponent()
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  private func writeSynced(_ data: Data, to file: URL) throws {
    willChange()
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    willChange()
    try handle.write(contentsOf: data)
    try handle.synchronize()
    try handle.close()
  }

  private func renameFile(_ file: URL, to destination: URL) throws {
    willChange()
    guard rename(file.path, destination.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  private func sync(_ folder: URL) throws {
    let descriptor = open(folder.path, O_RDONLY)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    fsync(descriptor)
    close(descriptor)
  }
}
