// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A set of file changes that is executed atomically.
public struct Plan: Codable, Hashable, Sendable {
  /// The folder that all paths are relative to. Nothing outside it is changed.
  public let root: URL
  /// The changes, sorted by path.
  public let changes: [FileChange]

  public init(root: URL, changes: [FileChange]) {
    self.root = root
    self.changes = changes.sorted { $0.path < $1.path }
  }

  /// The plan as a unified diff that `git apply` accepts; empty if nothing changes.
  public var diff: String {
    changes.map { change in
      UnifiedDiff.text(
        path: change.path, before: change.before.map { String(decoding: $0, as: UTF8.self) },
        after: change.after.map { String(decoding: $0, as: UTF8.self) })
    }.joined()
  }

  /// The changes, one line per file, without the records of copied adapters.
  public var summary: [String] {
    changes.filter { !Plan.isRecord($0.path) }.map { change in
      switch (change.before, change.after) {
      case (nil, _): "created \(change.path)"
      case (_, nil): "deleted \(change.path)"
      default: "changed \(change.path)"
      }
    }
  }

  /// Lines of sources that exceed the maximum length, one entry per file.
  public func longLines(_ style: LayoutStyle) -> [String] {
    changes.compactMap { change in
      guard change.path.hasSuffix(".swift"), let after = change.after else { return nil }
      let old = Set(
        (change.before.map { String(decoding: $0, as: UTF8.self) } ?? "").split(whereSeparator: \.isNewline))
      let lines: [Substring] = String(decoding: after, as: UTF8.self).split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let long = lines.indices.filter { lines[$0].count > style.lineLength && !old.contains(lines[$0]) }
      if long.isEmpty { return nil }
      let numbers = long.map { "\($0 + 1)" }.joined(separator: ", ")
      return "longer than \(style.lineLength) columns: line \(numbers) of \(change.path); 'swift format -i' breaks them"
    }
  }
}
