/// Where a ride begins or ends.
enum Place: Hashable, Sendable, CustomStringConvertible {
  case zone(String)
  /// Wherever the rider's device is.
  case riderPosition

  var description: String {
    switch self {
    case .zone(let name): name
    case .riderPosition: "the rider's position"
    }
  }
}
