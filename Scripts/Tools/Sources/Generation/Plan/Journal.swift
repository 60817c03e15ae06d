import Foundation

/// An edit of files with everything that is needed to complete it and to undo it, whatever part of it has happened.
struct Journal: Codable, Hashable {
  /// What a file is before or after the edit.
  struct Version: Codable, Hashable {
    let data: Data
    /// The permission bits; nil for those of a new file.
    let permissions: Int?
  }

  struct Entry: Codable, Hashable {
    /// Relative to the root.
    let path: String
    /// Nil if there is no file.
    let before: Version?
    let after: Version?
  }

  struct Folder: Codable, Hashable {
    /// Relative to the root.
    let path: String
    /// The permission bits; nil for those of a new folder.
    let permissions: Int?
  }

  /// Changes with the format, so that another version of the tool does not misread it.
  private(set) var format = Journal.currentFormat
  let entries: [Entry]
  /// Folders that the edit creates, the outermost first.
  let created: [Folder]
  /// Folders that the edit leaves empty and removes, the outermost first.
  let removed: [Folder]

  static let currentFormat = 2

  init(entries: [Entry], created: [Folder], removed: [Folder]) {
    self.entries = entries
    self.created = created
    self.removed = removed
  }

  /// The edit that leads back.
  var inverted: Journal {
    let entries = entries.map { Entry(path: $0.path, before: $0.after, after: $0.before) }
    return Journal(entries: entries, created: removed, removed: created)
  }
}
