/// A tree of a process that can be looked at.
public struct InspectedTree: Sendable, Hashable, Codable, Identifiable {
  /// Tells the tree from all others of its process, also from those that have ended.
  public let id: Int
  /// The name of its root RIB.
  public let name: String
  /// How many seconds ago it was launched.
  public let age: Double
}
