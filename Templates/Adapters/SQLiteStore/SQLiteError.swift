// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An error of SQLite.
public struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The file of the database.
  public let path: String
  /// The extended result code; 0 if the store was closed.
  public let code: Int32
  /// What SQLite says.
  public let message: String

  static let closed = SQLiteError(path: "", code: 0, message: "The store was closed before this call")

  /// Whether another process has the write lock of the database (SQLITE_BUSY).
  var isBusy: Bool { code & 0xFF == 5 }

  /// The message, the code and the file.
  public var description: String { "\(message) (SQLite \(code), \(path))" }
}
