/// A tree of a process that shows its trees.
public struct InspectedTree: Sendable, Hashable, Codable, Identifiable {
  /// Identifies the tree in its process. Ids are not reused.
  public let id: Int
  /// The name of its root RIB.
  public let name: String
  /// The time since its launch, in seconds.
  public let age: Double
}
