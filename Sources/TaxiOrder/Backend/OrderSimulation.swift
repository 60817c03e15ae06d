internal import RIBs

/// The backend of one order: all services, made up, with nothing shared between orders.
///
/// What it answers depends on the seed, the number of the order, the trip, the fault and the time on the order's clock,
/// so that an order takes the same course whatever runs beside it. An answer takes no time.
final class OrderSimulation: Sendable {
  private static let names = ["Mara", "Idris", "Tove", "Anselm", "Keiko", "Ruben", "Salma", "Pavel"]
  /// A request that hangs is answered after all when nobody can be waiting for it any more.
  private static let hang = Duration.seconds(86_400)

  private struct State {
    /// How many requests of each kind have come.
    var calls = [Int](repeating: 0, count: Request.allCases.count)
    /// How many taxis have taken the order, one after the other.
    var assignments = 0
    /// When the last of them did.
    var assignedAt = Duration.zero
  }

  private let trip: Trip
  private let fault: Fault?
  private let fleet: Int
  private let timeline: Timeline
  /// The driver of the first taxi; with the next one, the next driver comes.
  private let firstDriver: Int
  private let plate: String
  private let clock: VirtualClock
  private let ledger: RequestLedger
  private let state = Guarded(State())

  /// - Parameters:
  ///   - trip: the ride as it will have been.
  ///   - seed: the seed of the run; the order's own numbers follow from it and from the order's number.
  ///   - fault: what goes wrong.
  ///   - fleet: how many taxis are near the rider.
  ///   - clock: the order's clock.
  ///   - ledger: checks who sends requests.
  init(
    trip: Trip, seed: UInt64, fault: Fault? = nil, fleet: Int = 0, clock: VirtualClock, ledger: RequestLedger
  ) {
    self.trip = trip
    self.fault = fault
    self.fleet = fleet
    self.clock = clock
    self.ledger = ledger
    var random = SeededGenerator(seed: seed, order: trip.number)
    timeline = Timeline(of: trip, random: &random)
    firstDriver = random.below(OrderSimulation.names.count)
    plate = "T\(100 + random.below(900))-\(10 + random.below(90))"
  }

  /// The rider as the backend's fault would have it: one who cancels, if that is what goes wrong.
  var rider: Rider {
    var rider = trip.rider
    guard let fault else { return rider }
    // Never at a full second, when something else may be due.
    switch fault.kind {
    case .riderCancelsSearch: rider.patience.search = .milliseconds(600 * fault.part)
    case .riderCancelsTaxi: rider.patience.taxi = (timeline.departure * fault.part / 100).toQuarterSecond
    case .riderCancelsRide:
      rider.patience.taxi =
        timeline.departure + ((timeline.end - timeline.departure) * fault.part / 100).toQuarterSecond
    default: break
    }
    return rider
  }

  /// Takes a request: notes who sends it, and lets it fail or hang if that is what goes wrong.
  private func receive(_ request: Request, from sender: NodeID?) async throws {
    try ledger.send(from: sender)
    guard let fault, fault.request == request else { return }
    let call = state.withLock { state in
      defer { state.calls[request.rawValue] += 1 }
      return state.calls[request.rawValue]
    }
    switch fault.kind {
    case .requestFails where call == fault.call: throw ServiceUnavailable()
    case .requestKeepsFailing where call >= fault.call: throw ServiceUnavailable()
    case .requestHangs where call == fault.call: try await clock.sleep(for: OrderSimulation.hang)
    default: break
    }
  }

  /// How long ago the taxi took the order.
  private var timeSinceAssignment: Duration { clock.now.offset - state.withLock { $0.assignedAt } }
}

extension OrderSimulation: QuoteService {
  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    try await receive(.quote, from: sender)
    return destination == nil ? .metered : .fare(trip.bill.fare)
  }
}

extension OrderSimulation: DispatchService {
  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] {
    try await receive(.nearbyTaxis, from: sender)
    return timeline.nearbyTaxis(fleet, at: clock.now.offset)
  }

  func requestTaxi(for draft: OrderDraft, sender: NodeID?) async throws -> Assignment? {
    try await receive(.taxi, from: sender)
    if fault?.kind == .noTaxi || fault?.kind == .riderCancelsSearch { return nil }
    let now = clock.now.offset
    let number = state.withLock { state in
      defer { state.assignments += 1 }
      state.assignedAt = now
      return state.assignments
    }
    let name = OrderSimulation.names[(firstDriver + number) % OrderSimulation.names.count]
    return timeline.assignment(of: Driver(name: name, plate: plate))
  }

  func status(sender: NodeID?) async throws -> TaxiStatus {
    try await receive(.status, from: sender)
    let time = timeSinceAssignment
    if driverHasCancelled(at: time) { return .driverCancelled }
    return timeline.status(at: time, ride: Ride(duration: trip.duration, distance: trip.distance, bill: trip.bill))
  }

  func cancel(sender: NodeID?) async throws -> Bool {
    try await receive(.cancellation, from: sender)
    return state.withLock { $0.assignments } == 0 || timeSinceAssignment < timeline.departure
  }

  /// The driver cancels on the way to the rider, or at the pickup.
  private func driverHasCancelled(at time: Duration) -> Bool {
    guard let fault else { return false }
    let cancellations =
      switch fault.kind {
      case .driverCancels: 1
      case .driverCancelsTwice: 2
      default: 0
      }
    guard state.withLock({ $0.assignments }) <= cancellations else { return false }
    return fault.call == 0 || time >= timeline.arrival
  }
}

extension OrderSimulation: VehicleService {
  func position(sender: NodeID?) async throws -> Position {
    try await receive(.position, from: sender)
    return timeline.position(at: timeSinceAssignment)
  }
}

extension OrderSimulation: PaymentService {
  func charge(_ bill: Bill, to payment: Payment, sender: NodeID?) async throws -> PaymentAnswer {
    try await receive(.payment, from: sender)
    switch fault?.kind {
    case .everyCardDeclined: return .declined
    case .cardDeclined where payment == .card: return .declined
    default: return .paid
    }
  }
}

extension Duration {
  /// A quarter past the last full second.
  fileprivate var toQuarterSecond: Duration { .seconds(components.seconds) + .milliseconds(250) }
}
