// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The schedule and positions of a taxi that has accepted an order, derived from the trip and a seed.
///
/// Answers to polls contain the time of the next poll, so that an order takes four polls, however long the ride:
///
/// | poll | when                     | finds the taxi |
/// |------|--------------------------|----------------|
/// | 1    | half of the way to rider | approaching    |
/// | 2    | taxi at the pickup       | arrived        |
/// | 3    | half of the ride         | riding         |
/// | 4    | taxi at the destination  | ended          |
///
/// The vehicle is located after each of the first three polls; the assignment contains its initial position. The map
/// requests the taxis nearby twice before the order is placed. With the quote, the request for a taxi and the payment
/// that makes twelve requests, or eleven if the rider pays cash.
struct Timeline: Hashable, Sendable {
  private let halfway: Duration
  /// When the taxi reaches the pickup, relative to the assignment, like all times here.
  let arrival: Duration
  /// When the ride begins.
  let departure: Duration
  private let middle: Duration
  /// When the ride ends.
  let end: Duration
  private let start: Position
  /// The rider's position.
  let pickup: Position
  private let dropoff: Position

  /// - Parameters:
  ///   - trip: provides the duration and distance of the ride.
  ///   - random: provides the rest.
  init(of trip: Trip, random: inout SeededGenerator) {
    halfway = .seconds(30 + random.below(120))
    arrival = halfway * 2
    departure = arrival + .seconds(20 + random.below(60))
    // A ride without duration still has a riding phase.
    let ride = max(trip.duration, .seconds(2))
    middle = departure + ride / 2
    end = departure + ride
    pickup = Position(east: random.below(8000) - 4000, north: random.below(12000) - 6000)
    start = pickup.away(random.below(2500), random: &random)
    dropoff = pickup.away(trip.distance.meters, random: &random)
  }

  /// The status at a given time.
  ///
  /// - Parameters:
  ///   - time: the current time.
  ///   - assignment: when the taxi accepted the order.
  ///   - ride: the ride to return when it has ended.
  func status(at time: OrderTime, of assignment: OrderTime, ride: Ride) -> TaxiStatus {
    switch time - assignment {
    case end...: .taxi(.ended(ride: ride), nextPoll: nil)
    case departure..<end: .taxi(.riding(end: assignment + end), nextPoll: assignment + end)
    case arrival..<departure: .taxi(.arrived, nextPoll: assignment + middle)
    default: .taxi(.approaching(arrival: assignment + arrival), nextPoll: assignment + arrival)
    }
  }

  /// The answer to the request for a taxi.
  func assignment(of driver: Driver, at time: OrderTime) -> Assignment {
    Assignment(driver: driver, position: start, arrival: time + arrival, nextPoll: time + halfway)
  }

  /// The position of the taxi at a given time.
  func position(at time: Duration) -> Position {
    switch time {
    case ..<arrival: start.moved(towards: pickup, part: time.milliseconds, of: arrival.milliseconds)
    case arrival..<departure: pickup
    case departure..<end:
      pickup.moved(towards: dropoff, part: (time - departure).milliseconds, of: (end - departure).milliseconds)
    default: dropoff
    }
  }

  /// The free taxis near the rider, nearest first, each circling its own block. Every ten seconds a quarter of them
  /// are replaced.
  ///
  /// - Parameters:
  ///   - count: the number of taxis.
  ///   - time: how long the map has been open.
  func nearbyTaxis(_ count: Int, at time: Duration) -> [NearbyTaxi] {
    let seconds = Int(time.components.seconds)
    let taxis = (0..<count).map { index in
      let way = seconds * 8 + index * 137
      let (side, along) = (way / 100 % 4, way % 100)
      let corner = Position(east: pickup.east + index % 7 * 100 - 300, north: pickup.north + index / 7 % 7 * 100 - 300)
      let (east, north) = [(along, 0), (100, along), (100 - along, 100), (0, 100 - along)][side]
      return NearbyTaxi(
        id: 100 + index + (seconds + (index + 2) * 10) / 40 * count,
        position: Position(east: corner.east + east, north: corner.north + north))
    }
    return taxis.sorted { one, other in
      (Movement(from: one.position, to: pickup).distance, one.id)
        < (Movement(from: other.position, to: pickup).distance, other.id)
    }
  }
}

extension Position {
  /// A position at a given distance along the blocks, in a random direction.
  fileprivate func away(_ meters: Int, random: inout SeededGenerator) -> Position {
    let along = meters * random.below(101) / 100
    let quarter = random.below(4)
    return Position(
      east: east + (quarter & 1 == 0 ? along : -along), north: north + (quarter & 2 == 0 ? 1 : -1) * (meters - along))
  }
}
