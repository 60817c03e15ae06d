/// A free taxi near the rider.
struct NearbyTaxi: Hashable, Sendable, Identifiable {
  /// The number on its roof.
  let id: Int
  let position: Position
}
