import Foundation

/// What happens to one file.
public struct FileChange: Codable, Hashable, Sendable {
  /// The path, relative to the folder of the plan.
  public let path: String
  /// What is in it when the change is planned; nil if it is not there.
  public let before: Data?
  /// What is to be in it; nil if it is to be deleted.
  public let after: Data?
  /// The permissions of a new file; nil for the usual ones. A changed file keeps its own.
  public let permissions: Int?

  public init(path: String, before: Data?, after: Data?, permissions: Int? = nil) {
    self.path = path
    self.before = before
    self.after = after
    self.permissions = permissions
  }
}
