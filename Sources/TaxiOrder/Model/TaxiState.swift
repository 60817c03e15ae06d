/// The progress of a taxi with an order.
enum TaxiState: Hashable, Sendable {
  case assigned(Assignment)
  case approaching(eta: Duration)
  case arrived
  case riding(left: Duration)
  case ended(Ride)

  /// Whether the ride has not started yet.
  var isBeforeRide: Bool {
    switch self {
    case .assigned, .approaching, .arrived: true
    case .riding, .ended: false
    }
  }
}
