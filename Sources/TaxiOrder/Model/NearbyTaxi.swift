/// A free taxi near the rider.
struct NearbyTaxi: Hashable, Sendable, Identifiable {
  /// The number of the taxi.
  let id: Int
  let position: Position
}
