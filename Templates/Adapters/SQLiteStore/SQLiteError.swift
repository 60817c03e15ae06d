// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBsStore

/// An error of SQLite. Its description names the file, what happened and what to do.
public struct SQLiteError: TreeStoreError, Hashable, CustomStringConvertible {
  /// The file of the database.
  public let path: String
  /// The extended result code; 0 if the store was closed.
  public let code: Int32
  /// What SQLite says.
  public let message: String

  static func closed(_ path: String) -> SQLiteError {
    SQLiteError(path: path, code: 0, message: "The store was closed before this call")
  }

  /// The code without what extends it.
  private var primaryCode: Int32 { code & 0xFF }

  /// Whether another process has the write lock of the database (SQLITE_BUSY).
  var isBusy: Bool { primaryCode == 5 }

  /// Whether only one tree is concerned: its document is too large (SQLITE_TOOBIG).
  public var isOfTree: Bool { primaryCode == 18 }

  /// The message, the code and the file, and what to do.
  public var description: String { "\(message) (SQLite \(code), \(path)). \(advice)" }

  private var advice: String {
    switch primaryCode {
    case 0: "Close it after the last call."
    case 5, 6: "Another process has locked the database: end its transaction, or use a longer busyTimeout."
    case 8: "Let the user of the process write the file and its folder."
    case 10: "The disk has failed, or is full: free space, or copy the database and replace the disk."
    case 11, 26: "Restore the file from a backup, or use another path."
    case 13: "Free space on the disk of the file."
    case 14:
      "Create the folder of the file, and let the user of the process write both. If it can, raise the limit of open files, "
        + "such as with ulimit -n."
    case 15: "Use a local disk, because WAL needs shared memory."
    case 18: "The document of a tree is too large for a row: keep lists of data out of its state."
    default: "Repair the cause."
    }
  }
}
