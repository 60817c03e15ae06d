/// When the taxi of an order is where: all of it settled in advance by the trip and a seed.
///
/// Answers to polls say when to ask again, so that an order takes four polls, however long the ride:
///
/// | poll | when                     | finds the taxi |
/// |------|--------------------------|----------------|
/// | 1    | half of the way to rider | approaching    |
/// | 2    | taxi at the pickup       | arrived        |
/// | 3    | half of the ride         | riding         |
/// | 4    | taxi at the destination  | ended          |
///
/// The vehicle is located after the assignment and after each of the first three polls. With the quote, the request for
/// a taxi and the payment that makes eleven requests, and ten if the rider pays cash.
struct Timeline: Hashable, Sendable {
  private let halfway: Duration
  private let arrival: Duration
  private let departure: Duration
  private let middle: Duration
  private let end: Duration
  private let start: Position
  private let pickup: Position
  private let dropoff: Position

  /// - Parameters:
  ///   - trip: how long the ride takes and how far it goes.
  ///   - random: picks the rest.
  init(of trip: Trip, random: inout SeededGenerator) {
    halfway = .seconds(30 + random.below(120))
    arrival = halfway * 2
    departure = arrival + .seconds(20 + random.below(60))
    // A ride that takes no time is seen riding all the same.
    let ride = max(trip.duration, .seconds(2))
    middle = departure + ride / 2
    end = departure + ride
    pickup = Position(east: random.below(8000) - 4000, north: random.below(12000) - 6000)
    start = pickup.away(random.below(2500), random: &random)
    dropoff = pickup.away(trip.distance.metres, random: &random)
  }

  /// What a poll finds.
  ///
  /// - Parameters:
  ///   - time: how long ago the taxi was assigned.
  ///   - ride: the ride to be told of when it has ended.
  func status(at time: Duration, ride: Ride) -> TaxiStatus {
    switch time {
    case end...: TaxiStatus(state: .ended(ride), nextPoll: nil)
    case departure..<end: TaxiStatus(state: .riding(left: end - time), nextPoll: end - time)
    case arrival..<departure: TaxiStatus(state: .arrived, nextPoll: middle - time)
    default: TaxiStatus(state: .approaching(eta: arrival - time), nextPoll: arrival - time)
    }
  }

  /// The answer to the request for a taxi.
  func assignment(of driver: Driver) -> Assignment { Assignment(driver: driver, eta: arrival, nextPoll: halfway) }

  /// Where the taxi is.
  func position(at time: Duration) -> Position {
    switch time {
    case ..<arrival: start.moved(towards: pickup, part: time.milliseconds, of: arrival.milliseconds)
    case arrival..<departure: pickup
    case departure..<end:
      pickup.moved(towards: dropoff, part: (time - departure).milliseconds, of: (end - departure).milliseconds)
    default: dropoff
    }
  }
}

extension Position {
  /// A place as far away along the blocks as given, wherever the numbers lead.
  fileprivate func away(_ metres: Int, random: inout SeededGenerator) -> Position {
    let along = metres * random.below(101) / 100
    let quarter = random.below(4)
    return Position(
      east: east + (quarter & 1 == 0 ? along : -along), north: north + (quarter & 2 == 0 ? 1 : -1) * (metres - along))
  }
}
