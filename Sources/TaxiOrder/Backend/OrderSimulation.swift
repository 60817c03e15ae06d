internal import RIBs

/// The backend of one order: all services, made up, with nothing shared between orders.
///
/// What it answers depends on the seed, the number of the order, the trip and the time on the order's clock, so that an
/// order takes the same course whatever runs beside it.
final class OrderSimulation: Sendable {
  private static let names = ["Mara", "Idris", "Tove", "Anselm", "Keiko", "Ruben", "Salma", "Pavel"]

  private let trip: Trip
  private let timeline: Timeline
  private let driver: Driver
  private let clock: VirtualClock
  private let ledger: RequestLedger

  /// - Parameters:
  ///   - trip: the ride as it will have been.
  ///   - seed: the seed of the run; the order's own numbers follow from it and from the order's number.
  ///   - clock: the order's clock.
  ///   - ledger: checks who sends requests.
  init(trip: Trip, seed: UInt64, clock: VirtualClock, ledger: RequestLedger) {
    self.trip = trip
    self.clock = clock
    self.ledger = ledger
    var random = SeededGenerator(seed: seed, order: trip.number)
    timeline = Timeline(of: trip, random: &random)
    let name = OrderSimulation.names[random.below(OrderSimulation.names.count)]
    driver = Driver(name: name, plate: "T\(100 + random.below(900))-\(10 + random.below(90))")
  }

  /// The time since the order was placed. Selecting takes none, and the taxi is assigned at once.
  private var time: Duration { clock.now.offset }
}

extension OrderSimulation: QuoteService {
  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    try ledger.send(from: sender)
    return destination == nil ? .metered : .fare(trip.bill.fare)
  }
}

extension OrderSimulation: DispatchService {
  func requestTaxi(for draft: OrderDraft, sender: NodeID?) async throws -> Assignment {
    try ledger.send(from: sender)
    return timeline.assignment(of: driver)
  }

  func status(sender: NodeID?) async throws -> TaxiStatus {
    try ledger.send(from: sender)
    return timeline.status(at: time, ride: Ride(duration: trip.duration, distance: trip.distance, bill: trip.bill))
  }
}

extension OrderSimulation: VehicleService {
  func position(sender: NodeID?) async throws -> Position {
    try ledger.send(from: sender)
    return timeline.position(at: time)
  }
}

extension OrderSimulation: PaymentService {
  func charge(_ bill: Bill, sender: NodeID?) async throws -> PaidBill {
    try ledger.send(from: sender)
    return PaidBill(bill: bill, payment: .card)
  }
}
