/// A free taxi near the rider.
struct NearbyTaxi: Hashable, Sendable, Identifiable {
  /// The number of the taxi.
  let id: Int
  let position: Position
}

/// The driver of a taxi and its license plate.
struct Driver: Hashable, Sendable, CustomStringConvertible {
  let name: String
  let plate: String

  var description: String { "\(name), \(plate)" }
}

/// A taxi that has accepted an order.
struct Assignment: Hashable, Sendable {
  let driver: Driver
  /// The taxi's current position.
  let position: Position
  /// The time until it arrives.
  let eta: Duration
  /// When to poll its status.
  let nextPoll: Duration
}

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

/// The answer to a status poll.
enum TaxiStatus: Hashable, Sendable {
  /// - nextPoll: when to poll again; nil once the ride has ended.
  case taxi(TaxiState, nextPoll: Duration?)
  /// The driver has cancelled.
  case driverCancelled
}
