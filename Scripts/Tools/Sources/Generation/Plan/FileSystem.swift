// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One operation that changes the disk.
public enum FileOperation: Hashable, Sendable {
  /// Creates a folder. Fails if its path is taken.
  ///
  /// - Parameter permissions: nil for the default ones.
  case createFolder(URL, permissions: Int?)
  /// Removes an empty folder.
  case removeFolder(URL)
  /// Creates a file and flushes its contents. Fails if its path is taken.
  ///
  /// - Parameter permissions: nil for the default ones.
  case createFile(URL, Data, permissions: Int?)
  /// Moves a file atomically, replacing the file at its destination.
  case move(URL, to: URL)
  /// Gives a file a second name. Fails if that is taken.
  case link(URL, as: URL)
  /// Gives a file the owner and the group of another one, as far as this process may. On macOS also the extended
  /// attributes and the access control list.
  case copyAttributes(of: URL, to: URL)
  /// Removes a file.
  case removeFile(URL)
  /// Flushes the entries of a folder.
  case sync(URL)
}

/// The kind of item at a path.
public enum FileKind: Hashable, Sendable {
  case file, folder
  /// A symbolic link, a socket or a device.
  case other
}

/// The file operations that a transaction needs. Tests replace it to make one of them fail.
public protocol FileSystem {
  /// The kind of the item at a path; nil if there is none. Does not follow links.
  func kind(of url: URL) -> FileKind?
  /// The contents of a file.
  func contents(of file: URL) throws -> Data
  /// The permission bits of a file or folder.
  func permissions(of url: URL) throws -> Int
  /// The names of a folder's entries, including hidden ones.
  func entries(of folder: URL) throws -> [String]
  /// Whether this process may write a file, or create and remove the entries of a folder.
  func isWritable(_ url: URL) -> Bool
  /// Executes one operation.
  func perform(_ operation: FileOperation) throws
}

extension FileSystem {
  func exists(_ url: URL) -> Bool { kind(of: url) != nil }
}
