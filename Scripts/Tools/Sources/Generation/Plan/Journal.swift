// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An edit of files, with everything needed to complete or undo it at any stage.
struct Journal: Codable, Hashable {
  /// The state of a file before or after the edit.
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

  /// The format version. Changes with the format, so that another version of the tool does not misread it.
  private(set) var format = Journal.currentFormat
  let entries: [Entry]
  /// Folders that the edit creates, outermost first.
  let created: [Folder]
  /// Folders that the edit leaves empty and removes, outermost first.
  let removed: [Folder]

  static let currentFormat = 2

  init(entries: [Entry], created: [Folder], removed: [Folder]) {
    self.entries = entries
    self.created = created
    self.removed = removed
  }

  /// The edit that reverts this one.
  var inverted: Journal {
    let entries = entries.map { Entry(path: $0.path, before: $0.after, after: $0.before) }
    return Journal(entries: entries, created: removed, removed: created)
  }
}
