/// What an update of a `ChildList` has done, in numbers.
public struct ListChanges: Hashable, Sendable {
  /// How many children were attached for new models.
  public let inserted: Int
  /// How many children were detached because their models were gone.
  public let deleted: Int
  /// How many children were moved; the others are in the same order as before.
  public let moved: Int
  /// How many children were told that their models had changed.
  public let updated: Int
}
