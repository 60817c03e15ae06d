/// A free taxi near the rider.
struct NearbyTaxi: Hashable, Codable, Sendable, Identifiable {
  /// The number of the taxi.
  let id: Int
  let position: Position
}

/// The driver of a taxi and its license plate.
struct Driver: Hashable, Codable, Sendable, CustomStringConvertible {
  let name: String
  let plate: String

  var description: String { "\(name), \(plate)" }
}

/// A taxi that has accepted an order.
struct Assignment: Hashable, Codable, Sendable {
  let driver: Driver
  /// The taxi's position when it accepted.
  let position: Position
  /// When it arrives.
  let arrival: OrderTime
  /// When to poll its status.
  let nextPoll: OrderTime
}

/// The progress of a taxi with an order.
enum TaxiState: Hashable, Codable, Sendable {
  case assigned(assignment: Assignment)
  case approaching(arrival: OrderTime)
  case arrived
  case riding(end: OrderTime)
  case ended(ride: Ride)

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
  case taxi(TaxiState, nextPoll: OrderTime?)
  /// The driver has cancelled.
  case driverCancelled
}
