// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Executes a plan completely or not at all.
///
/// Before the first change, it writes a journal with both versions of every file to a separate folder in the package.
/// Then it creates folders, creates files, replaces files, deletes files and removes empty folders, in that order. It
/// compares a file right before it replaces or deletes it, and keeps the old file in the folder of the journal until
/// that has been compared, too: a change that another program makes meanwhile is put back. A replaced file has a new
/// inode with the permissions and the owner of the old one; other hard links to the old one keep the old contents. It
/// removes the journal last. An error undoes the edit from the journal. A killed process leaves the journal behind:
/// the next one completes or undoes the edit at any stage, repeatedly if necessary. A folder without a journal
/// belongs to an edit that has not begun or has ended, and is removed.
public struct Transaction {
  /// The name of the folder with the journal.
  public static let folderName = ".ribs-edit"

  private static let journalName = "journal.json"

  private let root: URL
  private let files: any FileSystem
  /// Whether to skip files that match neither version of the journal.
  private let keepsChanged: Bool

  private var folder: URL { root.appending(path: Transaction.folderName) }
  private var journalFile: URL { folder.appending(path: Transaction.journalName) }

  private init(root: URL, files: any FileSystem, keepsChanged: Bool = false) {
    self.root = root
    self.files = files
    self.keepsChanged = keepsChanged
  }

  /// Executes a plan, after completing an interrupted edit.
  ///
  /// Processes that edit the same folder wait for each other.
  ///
  /// - Throws: `Failure.refused` if a file has changed since the plan was made, or can't be written, with nothing
  ///   changed; `Failure.undone` if it failed later, with every file restored; `Failure.interrupted` if undoing it
  ///   failed too.
  public static func carryOut(_ plan: Plan, files: any FileSystem = Disk()) throws {
    if plan.changes.isEmpty { return }
    try FolderLock.holding(plan.root) {
      let transaction = Transaction(root: plan.root, files: files)
      try transaction.recover(undoing: false)
      let journal = try JournalBuilder(plan: plan, files: files).journal()
      try transaction.carryOut(journal)
    }
  }

  /// Whether an edit was interrupted in a folder.
  public static func isInterrupted(in root: URL, files: any FileSystem = Disk()) -> Bool {
    files.exists(Transaction(root: root, files: files).journalFile)
  }

  /// Completes an interrupted edit.
  ///
  /// - Parameter keepsChanged: whether to skip files that have changed since. If false, such files prevent the
  ///   operation.
  /// - Returns: whether there was one.
  /// - Throws: `Failure.interrupted` if it can't be completed.
  @discardableResult
  public static func finish(in root: URL, keepsChanged: Bool = false, files: any FileSystem = Disk()) throws -> Bool {
    try Transaction(root: root, files: files, keepsChanged: keepsChanged).recoverLocked(undoing: false)
  }

  /// Undoes an interrupted edit.
  ///
  /// - Parameter keepsChanged: whether to skip files that have changed since. If false, such files prevent the
  ///   operation.
  /// - Returns: whether there was one.
  /// - Throws: `Failure.interrupted` if it can't be undone.
  @discardableResult
  public static func undo(in root: URL, keepsChanged: Bool = false, files: any FileSystem = Disk()) throws -> Bool {
    try Transaction(root: root, files: files, keepsChanged: keepsChanged).recoverLocked(undoing: true)
  }

  /// Checks that every file is in the state that a plan produces.
  ///
  /// - Parameter reason: why it may not be.
  /// - Throws: `Failure.refused` if every file is as before, or else `Failure.unknown`.
  static func expectCarriedOut(_ plan: Plan, or reason: String, files: any FileSystem = Disk()) throws {
    func paths(_ version: (FileChange) -> Data?) -> [String] {
      plan.changes.filter { change in
        let file = plan.root.appending(path: change.path)
        return files.exists(file) != (version(change) != nil) || version(change) != (try? files.contents(of: file))
      }.map(\.path)
    }
    let unfinished = paths(\.after)
    if unfinished.isEmpty { return }
    if paths(\.before).isEmpty { throw Failure.refused(reason) }
    throw Failure.unknown(reason, files: unfinished)
  }

  // MARK: One edit

  private func carryOut(_ journal: Journal) throws {
    var isApplied = false
    do {
      try begin(journal)
      try apply(journal)
      isApplied = true
      try end()
    } catch {
      var reason = "the files can't be written: \(describe(error))"
      var undoing = self
      if case TransactionError.changed(let path) = error {
        reason = "'\(path)' was changed by another program during the edit, and keeps that change; try again"
        undoing = Transaction(root: root, files: files, keepsChanged: true)
      }
      guard files.exists(journalFile) else {
        // A remaining folder has no effect; the next edit removes it.
        try? removeFolder()
        if isApplied { return }
        throw Failure.refused(reason)
      }
      try undoing.undo(journal, reason)
    }
  }

  /// Restores every file after an error.
  private func undo(_ journal: Journal, _ reason: String) throws -> Never {
    do {
      try apply(journal.inverted)
      try end()
    } catch {
      if files.exists(journalFile) {
        throw Failure.interrupted("\(reason)\nundoing the edit failed too: \(describe(error))")
      }
    }
    throw Failure.undone(reason)
  }

  private func recoverLocked(undoing: Bool) throws -> Bool {
    guard files.exists(folder) else { return false }
    return try FolderLock.holding(root) { try recover(undoing: undoing) }
  }

  @discardableResult
  private func recover(undoing: Bool) throws -> Bool {
    guard files.exists(folder) else { return false }
    guard files.exists(journalFile) else {
      do {
        try removeFolder()
      } catch {
        throw Failure.refused("what an earlier edit left can't be removed: \(describe(error))")
      }
      return false
    }
    do {
      let journal = try self.journal()
      try apply(undoing ? journal.inverted : journal)
      try end()
    } catch {
      // Without a journal, the edit has ended.
      guard files.exists(journalFile) else { return true }
      let aim = undoing ? "undone" : "completed"
      throw Failure.interrupted("an edit was interrupted, and can't be \(aim): \(describe(error))")
    }
    return true
  }

  private func journal() throws -> Journal {
    let data = try files.contents(of: journalFile)
    guard let journal = try? JSONDecoder().decode(Journal.self, from: data), journal.format == Journal.currentFormat
    else { throw TransactionError.unknownJournal }
    return journal
  }

  private func describe(_ error: any Error) -> String {
    switch error {
    case let error as DiskError: error.description
    case let error as TransactionError: error.description
    default: error.localizedDescription
    }
  }

  // MARK: Steps, in order

  /// Writes the journal. Changes nothing outside of its folder.
  private func begin(_ journal: Journal) throws {
    try files.perform(.createFolder(folder, permissions: nil))
    let draft = folder.appending(path: "journal.draft")
    try files.perform(.createFile(draft, try JSONEncoder().encode(journal), permissions: nil))
    try files.perform(.sync(root))
    try files.perform(.move(draft, to: journalFile))
    try files.perform(.sync(folder))
  }

  /// Brings everything to its state after the edit, from any stage.
  private func apply(_ journal: Journal) throws {
    let entries = Array(journal.entries.enumerated())
    for (index, entry) in entries where files.exists(displaced(index)) { try settle(index, entry) }
    // Compares all entries before changing the first one.
    let pending = try entries.filter { try isPending($0.element) }
    for folder in journal.created.map({ ($0, root.appending(path: $0.path)) }) where !files.exists(folder.1) {
      try files.perform(.createFolder(folder.1, permissions: folder.0.permissions))
    }
    for (index, entry) in pending where entry.before == nil { try place(index, entry) }
    for (index, entry) in pending where entry.before != nil && entry.after != nil { try place(index, entry) }
    for (index, entry) in pending where entry.after == nil { try delete(index, entry) }
    try remove(journal.removed.reversed().map { root.appending(path: $0.path) })
    let folders = Set(
      (journal.entries.map(\.path) + (journal.created + journal.removed).map(\.path))
        .map { root.appending(path: $0).deletingLastPathComponent().standardizedFileURL.path })
    for path in folders.sorted() {
      let folder = URL(filePath: path, directoryHint: .isDirectory)
      if files.exists(folder) { try files.perform(.sync(folder)) }
    }
  }

  /// Whether a file is in its state before the edit.
  private func isPending(_ entry: Journal.Entry) throws -> Bool {
    let file = root.appending(path: entry.path)
    let now: Data?
    switch files.kind(of: file) {
    case .file: now = try files.contents(of: file)
    case nil: now = nil
    case .folder, .other:
      if keepsChanged { return false }
      throw TransactionError.changed(entry.path)
    }
    if now == entry.after?.data { return false }
    if now == entry.before?.data { return true }
    if keepsChanged { return false }
    throw TransactionError.changed(entry.path)
  }

  /// Moves a file into place, atomically.
  private func place(_ index: Int, _ entry: Journal.Entry) throws {
    guard let version = entry.after else { return }
    let file = root.appending(path: entry.path)
    let draft = folder.appending(path: "draft")
    if files.exists(draft) { try files.perform(.removeFile(draft)) }
    try files.perform(.createFile(draft, version.data, permissions: version.permissions))
    guard try isPending(entry) else { return }
    if entry.before != nil {
      try files.perform(.copyAttributes(of: file, to: draft))
      try files.perform(.link(file, as: displaced(index)))
    }
    try files.perform(.move(draft, to: file))
    if entry.before != nil { try settle(index, entry) }
  }

  private func delete(_ index: Int, _ entry: Journal.Entry) throws {
    guard try isPending(entry) else { return }
    try files.perform(.move(root.appending(path: entry.path), to: displaced(index)))
    try settle(index, entry)
  }

  /// The old version of a file while the edit replaces or deletes it.
  private func displaced(_ index: Int) -> URL { folder.appending(path: "displaced-\(index)") }

  /// Removes the old version of a file, or puts it back if another program has changed it.
  private func settle(_ index: Int, _ entry: Journal.Entry) throws {
    let old = displaced(index)
    let file = root.appending(path: entry.path)
    func isOfEdit(_ data: Data?) -> Bool { data == entry.before?.data || data == entry.after?.data }
    let data = try files.contents(of: old)
    guard !isOfEdit(data) else { return try files.perform(.removeFile(old)) }
    // A file that is in neither state either is a later version of the other program.
    if try files.kind(of: file) == nil || (files.kind(of: file) == .file && isOfEdit(files.contents(of: file))) {
      try files.perform(.move(old, to: file))
    } else {
      try files.perform(.removeFile(old))
    }
    if !keepsChanged { throw TransactionError.changed(entry.path) }
  }

  /// Removes existing empty folders, in the order given. Keeps a folder that another program wrote to.
  private func remove(_ folders: [URL]) throws {
    for folder in folders where files.kind(of: folder) == .folder {
      guard try files.entries(of: folder).isEmpty else { continue }
      do {
        try files.perform(.removeFolder(folder))
      } catch {
        // It isn't empty any more.
        guard let entries = try? files.entries(of: folder), !entries.isEmpty else { throw error }
      }
    }
  }

  /// Removes the journal, which ends the edit, and then its folder.
  private func end() throws {
    try files.perform(.removeFile(journalFile))
    try files.perform(.sync(folder))
    try removeFolder()
  }

  private func removeFolder() throws {
    for name in try files.entries(of: folder).sorted() {
      try files.perform(.removeFile(folder.appending(path: name)))
    }
    try files.perform(.removeFolder(folder))
    try files.perform(.sync(root))
  }
}

/// The reason why an edit can't be completed or undone.
private enum TransactionError: Error, CustomStringConvertible {
  /// A file is neither in its state before the edit nor in its state after it.
  case changed(String)
  case unknownJournal

  var description: String {
    switch self {
    case .changed(let path):
      "'\(path)' was changed since; with --keep-changed, such files are left as they are"
    case .unknownJournal: "the journal was written by another version of ribs; use that version"
    }
  }
}
