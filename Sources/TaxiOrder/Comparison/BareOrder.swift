internal import RIBs

/// The requests of an order without a tree: each in a bare task, one after the other, on the same schedule, to the same
/// backend.
///
/// There is nothing here that could be looked at, cancelled in part, or tested in part. It is what the tree's throughput is
/// compared with.
struct BareOrder: Sendable {
  let trip: Trip
  let seed: UInt64

  /// Runs the order to its end.
  ///
  /// - Returns: how many requests were sent.
  func run() async throws -> Int {
    let ledger = RequestLedger()
    let clock = VirtualClock()
    let simulation = OrderSimulation(trip: trip, seed: seed, clock: clock, ledger: ledger)
    let services = OrderServices(ReliableServices(OrderServices(simulation), clock: clock))
    clock.workDidBegin()
    let order = Task {
      defer { clock.stop() }
      try await placeOrder(services, clock)
    }
    _ = await clock.run { clock.advance() }
    try await order.value
    return ledger.requests
  }

  private func placeOrder(_ services: OrderServices, _ clock: VirtualClock) async throws {
    try await clock.sleep(for: .seconds(4))
    let map = lookAround(services.dispatch, clock)
    let pickup = trip.rider.pickupZone.map(Place.zone) ?? .riderPosition
    let destination = trip.rider.dropoffZone.map(Place.zone)
    let quote = try await request { try await services.quote.quote(from: pickup, to: destination, sender: nil) }
    try await clock.sleep(for: .milliseconds(12_500))
    map.cancel()
    let draft = OrderDraft(pickup: pickup, destination: destination, quote: quote, payment: trip.rider.payment)
    guard let assignment = try await request({ try await services.dispatch.requestTaxi(for: draft, sender: nil) })
    else { return }
    let ride = try await follow(assignment, services, clock)
    try await pay(ride, services.payment, clock)
    try await clock.sleep(for: .seconds(5))
    try await clock.sleep(for: .seconds(3))
    try await clock.sleep(for: .seconds(2))
  }

  private func lookAround(_ service: any DispatchService, _ clock: VirtualClock) -> Task<Void, any Error> {
    clock.workDidBegin()
    return Task {
      defer { clock.workDidEnd() }
      try await clock.sleep(for: .milliseconds(500))
      while true {
        _ = try await service.nearbyTaxis(sender: nil)
        try await clock.sleep(for: .seconds(10))
      }
    }
  }

  private func follow(_ assignment: Assignment, _ services: OrderServices, _ clock: VirtualClock) async throws -> Ride?
  {
    var nextPoll = assignment.nextPoll
    while true {
      try await clock.sleep(for: nextPoll)
      switch try await request({ try await services.dispatch.status(sender: nil) }) {
      case .taxi(.ended(let ride), _): return ride
      case .taxi(_, let next): nextPoll = next ?? nextPoll
      case .driverCancelled: return nil
      }
      _ = try await request { try await services.vehicle.position(sender: nil) }
    }
  }

  private func pay(_ ride: Ride?, _ service: any PaymentService, _ clock: VirtualClock) async throws {
    guard let ride else { return }
    guard trip.rider.payment != .cash else { return try await clock.sleep(for: .seconds(15)) }
    let payment = trip.rider.payment
    _ = try await request { try await service.charge(ride.bill, to: payment, sender: nil) }
  }

  private func request<Answer: Sendable>(
    _ send: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    try await Task { try await send() }.value
  }
}
