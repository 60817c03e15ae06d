// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The kind and the permissions of a file. The attributes of `FileManager` and `URL` look up the names of its owner and
/// group as well, which takes several times as long.
public struct FileMode: Sendable {
  private let mode: mode_t

  /// Nil if there is no file.
  ///
  /// - Parameter followsLinks: whether the mode of a symbolic link is that of its target.
  public init?(of path: String, followsLinks: Bool) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    mode = status.st_mode
  }

  public var isFolder: Bool { mode & S_IFMT == S_IFDIR }

  public var isLink: Bool { mode & S_IFMT == S_IFLNK }

  public var isRegularFile: Bool { mode & S_IFMT == S_IFREG }

  /// What `chmod` sets.
  public var permissions: Int { Int(mode & 0o7777) }
}
