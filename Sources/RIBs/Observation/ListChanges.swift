/// How many children an update of a list of children has attached, detached, moved and updated.
public struct ListChanges: Hashable, Sendable, CustomStringConvertible {
  /// How many children were attached for new models.
  public let inserted: Int
  /// How many children were detached because their models were gone.
  public let deleted: Int
  /// How many children were moved; the others are in the same order as before.
  public let moved: Int
  /// How many children were notified that their models had changed.
  public let updated: Int

  package init(inserted: Int, deleted: Int, moved: Int, updated: Int) {
    self.inserted = inserted
    self.deleted = deleted
    self.moved = moved
    self.updated = updated
  }

  /// What was done, without what was not: `2 inserted, 1 moved`.
  public var description: String {
    [(inserted, "inserted"), (deleted, "deleted"), (moved, "moved"), (updated, "updated")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
