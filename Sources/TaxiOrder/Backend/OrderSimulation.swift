internal import RIBs

/// The simulated backend of one order: all services, sharing nothing with other orders.
///
/// Answers depend only on the seed, the number of the order, the trip, the fault and the time on the order's clock,
/// so an order is deterministic whatever runs concurrently. Answers take no time.
final class OrderSimulation: Sendable {
  private static let names = ["Mara", "Idris", "Tove", "Anselm", "Keiko", "Ruben", "Salma", "Pavel"]
  /// How long a hanging request takes: longer than any timeout.
  private static let hang = Duration.seconds(86_400)

  private struct State {
    /// The number of requests of each kind.
    var calls = [Int](repeating: 0, count: Request.allCases.count)
    /// The number of taxis that have accepted the order.
    var assignments = 0
    /// When the last of them accepted it.
    var assignedAt = Duration.zero
  }

  private let trip: Trip
  private let fault: Fault?
  private let fleet: Int
  private let timeline: Timeline
  /// The driver of the first taxi. Each further taxi has the next driver.
  private let firstDriver: Int
  private let plate: String
  private let clock: VirtualClock
  private let requestCounter: RequestCounter
  private let state = Guarded(State())

  /// - Parameters:
  ///   - trip: the ride to simulate.
  ///   - seed: the seed of the run. The order's random numbers follow from it and from the order's number.
  ///   - fault: the fault to inject.
  ///   - fleet: the number of taxis near the rider.
  ///   - clock: the order's clock.
  ///   - requestCounter: checks the senders of requests.
  init(
    trip: Trip, seed: UInt64, fault: Fault? = nil, fleet: Int = 0, clock: VirtualClock, requestCounter: RequestCounter
  ) {
    self.trip = trip
    self.fault = fault
    self.fleet = fleet
    self.clock = clock
    self.requestCounter = requestCounter
    var random = SeededGenerator(seed: seed, order: trip.number)
    timeline = Timeline(of: trip, random: &random)
    firstDriver = random.below(OrderSimulation.names.count)
    plate = "T\(100 + random.below(900))-\(10 + random.below(90))"
  }

  /// The rider, made impatient if the fault is a cancellation.
  var rider: Rider {
    var rider = trip.rider
    guard let fault else { return rider }
    // Never at a full second, when another event may be due.
    switch fault.kind {
    case .riderCancelsSearch: rider.cancellationTimes.search = .milliseconds(600 * fault.part)
    case .riderCancelsTaxi: rider.cancellationTimes.taxi = (timeline.departure * fault.part / 100).toQuarterSecond
    case .riderCancelsRide:
      rider.cancellationTimes.taxi =
        timeline.departure + ((timeline.end - timeline.departure) * fault.part / 100).toQuarterSecond
    default: break
    }
    return rider
  }

  /// Receives a request: checks its sender, and injects the fault.
  private func receive(_ request: Request, from sender: NodeID?) async throws {
    try requestCounter.countRequest(from: sender)
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

  /// The time since the taxi accepted the order.
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

  /// Whether the driver has cancelled, on the way to the rider or at the pickup.
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
  /// A quarter of a second after the last full second.
  fileprivate var toQuarterSecond: Duration { .seconds(components.seconds) + .milliseconds(250) }
}
