import Foundation

/// Carries out a plan, all of it or nothing.
///
/// Before the first change, a journal with both contents of every file is written to a folder beside the package's own.
/// Then folders are created, files created, files replaced, files deleted and empty folders removed, in that order. The
/// journal is removed last. An error on the way undoes the edit from the journal. A process that is killed leaves the
/// journal: the next one completes the edit or undoes it, as often as it takes, whatever part of it has happened. A folder
/// without a journal belongs to an edit that has not begun or has ended, and is removed.
public struct Transaction {
  /// The name of the folder with the journal.
  public static let folderName = ".ribs-edit"

  private static let journalName = "journal.json"

  private let root: URL
  private let files: any FileSystem
  /// Whether files that neither version of the journal describes are left alone.
  private let keepsChanged: Bool

  private var folder: URL { root.appending(path: Transaction.folderName) }
  private var journalFile: URL { folder.appending(path: Transaction.journalName) }

  private init(root: URL, files: any FileSystem, keepsChanged: Bool = false) {
    self.root = root
    self.files = files
    self.keepsChanged = keepsChanged
  }

  /// Carries out a plan, after completing an edit that was interrupted.
  ///
  /// One process at a time does so in a folder; others wait.
  ///
  /// - Throws: `Failure.refused` if a file is not as it was when the plan was made, or can't be written, with nothing
  ///   changed; `Failure.undone` if it failed later, with every file as before; `Failure.interrupted` if undoing it failed
  ///   too.
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

  /// Completes an edit that was interrupted.
  ///
  /// - Parameter keepsChanged: whether files that were changed since are left as they are. Otherwise they are a reason not
  ///   to begin.
  /// - Returns: whether there was one.
  /// - Throws: `Failure.interrupted` if it can't be completed.
  @discardableResult
  public static func finish(in root: URL, keepsChanged: Bool = false, files: any FileSystem = Disk()) throws -> Bool {
    try Transaction(root: root, files: files, keepsChanged: keepsChanged).recoverLocked(undoing: false)
  }

  /// Undoes an edit that was interrupted.
  ///
  /// - Parameter keepsChanged: whether files that were changed since are left as they are. Otherwise they are a reason not
  ///   to begin.
  /// - Returns: whether there was one.
  /// - Throws: `Failure.interrupted` if it can't be undone.
  @discardableResult
  public static func undo(in root: URL, keepsChanged: Bool = false, files: any FileSystem = Disk()) throws -> Bool {
    try Transaction(root: root, files: files, keepsChanged: keepsChanged).recoverLocked(undoing: true)
  }

  /// Whether every file is as a plan leaves it.
  static func isCarriedOut(_ plan: Plan, files: any FileSystem = Disk()) -> Bool {
    plan.changes.allSatisfy { change in
      let file = plan.root.appending(path: change.path)
      return files.exists(file) == (change.after != nil) && change.after == (try? files.contents(of: file))
    }
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
      let reason = "the files can't be written: \(describe(error))"
      guard files.exists(journalFile) else {
        // What is left of the folder means nothing; the next edit removes it.
        try? removeFolder()
        if isApplied { return }
        throw Failure.refused(reason)
      }
      try undo(journal, reason)
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
      // Without a journal, the edit is over.
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

  // MARK: What is done, in order

  /// Writes the journal. Touches nothing outside of its folder.
  private func begin(_ journal: Journal) throws {
    try files.perform(.createFolder(folder, permissions: nil))
    let draft = folder.appending(path: "journal.draft")
    try files.perform(.createFile(draft, try JSONEncoder().encode(journal), permissions: nil))
    try files.perform(.sync(root))
    try files.perform(.move(draft, to: journalFile))
    try files.perform(.sync(folder))
  }

  /// Brings everything to how it is after the edit, whatever part of it has happened.
  private func apply(_ journal: Journal) throws {
    // All of them are compared before the first one is changed.
    let pending = try journal.entries.filter(isPending)
    for folder in journal.created.map({ ($0, root.appending(path: $0.path)) }) where !files.exists(folder.1) {
      try files.perform(.createFolder(folder.1, permissions: folder.0.permissions))
    }
    for entry in pending where entry.before == nil { try place(entry) }
    for entry in pending where entry.before != nil && entry.after != nil { try place(entry) }
    for entry in pending where entry.after == nil { try files.perform(.removeFile(root.appending(path: entry.path))) }
    try remove(journal.removed.reversed().map { root.appending(path: $0.path) })
    let folders = Set(
      (journal.entries.map(\.path) + (journal.created + journal.removed).map(\.path))
        .map { root.appending(path: $0).deletingLastPathComponent().standardizedFileURL.path })
    for path in folders.sorted() {
      let folder = URL(filePath: path, directoryHint: .isDirectory)
      if files.exists(folder) { try files.perform(.sync(folder)) }
    }
  }

  /// Whether a file is as before the edit.
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

  /// Puts a file in its place, atomically.
  private func place(_ entry: Journal.Entry) throws {
    guard let version = entry.after else { return }
    let draft = folder.appending(path: "draft")
    if files.exists(draft) { try files.perform(.removeFile(draft)) }
    try files.perform(.createFile(draft, version.data, permissions: version.permissions))
    try files.perform(.move(draft, to: root.appending(path: entry.path)))
  }

  /// Removes folders that are there and empty, in the order given. One that another program wrote into stays.
  private func remove(_ folders: [URL]) throws {
    for folder in folders where files.kind(of: folder) == .folder {
      if try files.entries(of: folder).isEmpty { try files.perform(.removeFolder(folder)) }
    }
  }

  /// Removes the journal, which ends the edit, and its folder.
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

/// Why an edit can't be completed or undone.
private enum TransactionError: Error, CustomStringConvertible {
  /// A file is neither as before the edit nor as after it.
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
