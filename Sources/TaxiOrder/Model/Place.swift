/// The start or destination of a ride.
enum Place: Hashable, Sendable, CustomStringConvertible {
  case zone(String)
  /// The current position of the rider's device.
  case riderPosition

  var description: String {
    switch self {
    case .zone(let name): name
    case .riderPosition: "the rider's position"
    }
  }
}
