import Foundation

/// Changes of files that happen all or not at all.
public struct Plan: Codable, Hashable, Sendable {
  /// The folder that all paths are relative to, and that nothing outside of is touched.
  public let root: URL
  /// The changes, sorted by path.
  public let changes: [FileChange]

  public init(root: URL, changes: [FileChange]) {
    self.root = root
    self.changes = changes.sorted { $0.path < $1.path }
  }

  /// The plan as a unified diff, as `git apply` takes it; empty if nothing changes.
  public var diff: String {
    changes.map { change in
      UnifiedDiff.text(
        path: change.path, before: change.before.map { String(decoding: $0, as: UTF8.self) },
        after: change.after.map { String(decoding: $0, as: UTF8.self) })
    }.joined()
  }

  /// What happens, one line a file.
  public var summary: [String] {
    changes.map { change in
      switch (change.before, change.after) {
      case (nil, _): "created \(change.path)"
      case (_, nil): "deleted \(change.path)"
      default: "changed \(change.path)"
      }
    }
  }
}
