/// How far a taxi is with an order.
enum TaxiState: Hashable, Sendable {
  case assigned(Assignment)
  case approaching(eta: Duration)
  case arrived
  case riding(left: Duration)
  case ended(Ride)

  /// Whether the rider is not riding yet.
  var isBeforeRide: Bool {
    switch self {
    case .assigned, .approaching, .arrived: true
    case .riding, .ended: false
    }
  }
}
