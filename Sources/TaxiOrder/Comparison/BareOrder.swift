internal import RIBs

/// The requests of an order without a tree: each in a bare task, on the same schedule, to the same backend.
///
/// The baseline for the throughput of trees. The order's state belongs to an actor; nothing here can be inspected,
/// cancelled in part, or tested in part.
actor BareOrder {
  private let rider: Rider
  private let services: OrderServices
  private let clock: VirtualClock
  private let ledger = RequestLedger()
  private var draft = OrderDraft()
  private var nearbyTaxis: [NearbyTaxi] = []
  private var map: Task<Void, any Error>?
  private var lastPosition: Position?
  private var nextPoll = Duration.zero
  private var ride: Ride?

  init(trip: Trip, seed: UInt64) {
    rider = trip.rider
    clock = VirtualClock()
    let simulation = OrderSimulation(trip: trip, seed: seed, clock: clock, ledger: ledger)
    services = OrderServices(ReliableServices(OrderServices(simulation), clock: clock))
  }

  /// Runs the order to its end.
  ///
  /// - Returns: the number of requests sent.
  func run() async throws -> Int {
    let clock = clock
    clock.workDidBegin()
    let order = Task {
      defer { clock.stop() }
      try await placeOrder()
    }
    _ = await clock.run { clock.advance() }
    try await order.value
    return ledger.requests
  }

  private func placeOrder() async throws {
    try await wait(.seconds(4))
    map = lookAround()
    try await wait(.seconds(1))
    draft.pickup = rider.pickupZone.map(Place.zone) ?? .riderPosition
    draft.destination = rider.dropoffZone.map(Place.zone)
    draft.payment = rider.payment
    draft.quote = try await request { [draft, quote = services.quote] in
      try await quote.quote(from: draft.pickup, to: draft.destination, sender: nil)
    }
    try await wait(.milliseconds(12_500))
    map?.cancel()
    let assignment = try await request { [draft, dispatch = services.dispatch] in
      try await dispatch.requestTaxi(for: draft, sender: nil)
    }
    guard let assignment else { return }
    lastPosition = assignment.position
    nextPoll = assignment.nextPoll
    while ride == nil { try await follow() }
    try await pay()
    for seconds in [5, 3, 2] { try await wait(.seconds(seconds)) }
  }

  private func lookAround() -> Task<Void, any Error> {
    clock.workDidBegin()
    return Task {
      defer { clock.workDidEnd() }
      try await clock.sleep(for: .milliseconds(500))
      while true {
        nearbyTaxis = try await services.dispatch.nearbyTaxis(sender: nil)
        try await clock.sleep(for: .seconds(10))
      }
    }
  }

  private func follow() async throws {
    let status = try await request { [clock, nextPoll, dispatch = services.dispatch] in
      try await clock.sleep(for: nextPoll)
      return try await dispatch.status(sender: nil)
    }
    guard case .taxi(let state, let next) = status else { return }
    if case .ended(let ride) = state {
      self.ride = ride
      return
    }
    nextPoll = next ?? nextPoll
    lastPosition = try await request { [vehicle = services.vehicle] in try await vehicle.position(sender: nil) }
  }

  private func pay() async throws {
    guard let ride else { return }
    guard rider.payment != .cash else { return try await wait(.seconds(15)) }
    _ = try await request { [payment = rider.payment, service = services.payment] in
      try await service.charge(ride.bill, to: payment, sender: nil)
    }
  }

  private func wait(_ duration: Duration) async throws {
    try await request { [clock] in try await clock.sleep(for: duration) }
  }

  private func request<Answer: Sendable>(_ send: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    try await Task.detached { try await send() }.value
  }
}
