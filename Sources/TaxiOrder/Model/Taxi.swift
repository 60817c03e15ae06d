// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A free taxi near the rider.
public struct NearbyTaxi: Hashable, Codable, Sendable, Identifiable {
  /// The number of the taxi.
  public let id: Int
  /// Where it is.
  public let position: Position

  /// Creates a taxi.
  public init(id: Int, position: Position) {
    self.id = id
    self.position = position
  }
}

/// The driver of a taxi and its license plate.
public struct Driver: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The driver's name.
  public let name: String
  /// The license plate of the taxi.
  public let plate: String

  /// Creates a driver.
  public init(name: String, plate: String) {
    self.name = name
    self.plate = plate
  }

  /// The name and the license plate.
  public var description: String { "\(name), \(plate)" }
}

/// A taxi that has accepted an order.
public struct Assignment: Hashable, Codable, Sendable {
  /// Its driver.
  public let driver: Driver
  /// The taxi's position when it accepted.
  public let position: Position
  /// When it arrives.
  public let arrival: OrderTime
  /// When to poll its status.
  public let nextPoll: OrderTime

  /// Creates an assignment.
  public init(driver: Driver, position: Position, arrival: OrderTime, nextPoll: OrderTime) {
    self.driver = driver
    self.position = position
    self.arrival = arrival
    self.nextPoll = nextPoll
  }
}

/// The progress of a taxi with an order.
public enum TaxiState: Hashable, Codable, Sendable {
  /// It has accepted the order.
  case assigned(assignment: Assignment)
  /// It is on its way to the rider.
  case approaching(arrival: OrderTime)
  /// It waits for the rider.
  case arrived
  /// The rider is in it.
  case riding(end: OrderTime)
  /// The ride has ended.
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
public enum TaxiStatus: Hashable, Sendable {
  /// - nextPoll: when to poll again; nil once the ride has ended.
  case taxi(TaxiState, nextPoll: OrderTime?)
  /// The driver has cancelled.
  case driverCancelled
}
