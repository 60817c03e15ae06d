// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreeEvent {
  /// The changes made by the update of a list of children.
  public var changes: ListChanges? { detail() }

  /// The number of children that an update of a list has attached, detached, moved and updated.
  public struct ListChanges: Hashable, Sendable, CustomStringConvertible {
    /// The number of children attached for new models.
    public let inserted: Int
    /// The number of children detached because their models were removed.
    public let deleted: Int
    /// The number of children that were moved. The others keep their relative order.
    public let moved: Int
    /// The number of children notified that their models had changed.
    public let updated: Int

    package init(inserted: Int, deleted: Int, moved: Int, updated: Int) {
      self.inserted = inserted
      self.deleted = deleted
      self.moved = moved
      self.updated = updated
    }

    /// The changes other than zero: `2 inserted, 1 moved`.
    public var description: String {
      [(inserted, "inserted"), (deleted, "deleted"), (moved, "moved"), (updated, "updated")]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
  }
}

extension RouterNode {
  /// Emits the event of an update of a list of children.
  package final func emitUpdate(_ changes: TreeEvent.ListChanges) {
    guard let tree else { return requestSave() }
    _ = notify(.childrenChanged)
    tree.emit(.childrenUpdated, at: self, .other(changes))
  }
}
