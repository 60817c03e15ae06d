// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The change of one file.
public struct FileChange: Codable, Hashable, Sendable {
  /// The path, relative to the folder of the plan.
  public let path: String
  /// The contents when the change is planned; nil if the file does not exist.
  public let before: Data?
  /// The new contents; nil to delete the file.
  public let after: Data?
  /// The permissions of a new file; nil for the default ones. A changed file keeps its permissions.
  public let permissions: Int?

  public init(path: String, before: Data?, after: Data?, permissions: Int? = nil) {
    self.path = path
    self.before = before
    self.after = after
    self.permissions = permissions
  }
}
