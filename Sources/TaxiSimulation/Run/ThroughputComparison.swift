// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import TaxiOrder

/// Compares the throughput of orders as trees of RIBs and as bare tasks with the same requests.
public struct ThroughputComparison: Sendable {
  /// Orders per second, each in its own tree.
  public let trees: Double
  /// Orders per second as bare tasks.
  public let bareTasks: Double
  /// The number of requests, the same for both.
  public let requests: Int

  /// Measures both alternately several times, and keeps the best time of each.
  ///
  /// On a shared machine, many short runs are more reliable than a few long ones: each needs an undisturbed interval
  /// as long as a run.
  ///
  /// - Parameters:
  ///   - orders: the number of orders per run.
  ///   - concurrency: the number of concurrent orders.
  ///   - runs: the number of runs of each.
  /// - Throws: the error of a bare order, or `Difference` if the two made different numbers of requests.
  public init(orders: Int, concurrency: Int, runs: Int = 5) async throws {
    var best = (trees: Duration.seconds(3600), bareTasks: Duration.seconds(3600))
    var requests = (trees: 0, bareTasks: 0)
    for _ in 0..<runs {
      best.trees = min(
        best.trees,
        try await ContinuousClock().measure {
          requests.trees = try await ThroughputComparison.run(orders, concurrency) { trip in
            var order = OrderRun(trip: trip, seed: 1, ribCounter: RIBCounter())
            // The bare order has no senders to check.
            order.checksSenders = false
            return await order.run().requests
          }
        })
      best.bareTasks = min(
        best.bareTasks,
        try await ContinuousClock().measure {
          requests.bareTasks = try await ThroughputComparison.run(orders, concurrency) { trip in
            try await BareOrder(trip: trip, seed: 1).run()
          }
        })
    }
    guard requests.trees == requests.bareTasks else {
      throw Difference(trees: requests.trees, bareTasks: requests.bareTasks)
    }
    trees = Double(orders) / (best.trees / .seconds(1))
    bareTasks = Double(orders) / (best.bareTasks / .seconds(1))
    self.requests = requests.trees
  }

  /// The two made different numbers of requests, so they can't be compared.
  public struct Difference: Error, Hashable {
    /// The number of requests of the trees.
    public let trees: Int
    /// The number of requests of the bare tasks.
    public let bareTasks: Int
  }

  /// Runs orders concurrently, and adds up their requests.
  private static func run(
    _ orders: Int, _ concurrency: Int, _ order: @escaping @Sendable (Trip) async throws -> Int
  ) async throws -> Int {
    var trips = GeneratedTrips(count: orders, seed: 1)
    return try await withThrowingTaskGroup(of: Int.self) { group in
      var requests = 0
      var running = 0
      while case .trip(let trip) = trips.next() {
        if running == concurrency, let count = try await group.next() {
          requests += count
          running -= 1
        }
        group.addTask { try await order(trip) }
        running += 1
      }
      for try await count in group { requests += count }
      return requests
    }
  }
}

/// The requests of an order without a tree: each in a bare task, on the same schedule, to the same backend.
///
/// The baseline for the throughput of trees. The order's state belongs to an actor; nothing here can be inspected,
/// cancelled in part, or tested in part.
actor BareOrder {
  private let rider: Rider
  private let services: OrderServices
  private let clock: VirtualClock
  private let requestCounter = RequestCounter()
  private var draft = OrderDraft()
  private var nearbyTaxis: [NearbyTaxi] = []
  private var map: Task<Void, any Error>?
  private var lastPosition: Position?
  private var nextPoll = OrderTime.zero
  private var ride: Ride?

  init(trip: Trip, seed: UInt64) {
    rider = trip.rider
    clock = VirtualClock()
    let simulation = OrderSimulation(trip: trip, seed: seed, clock: clock, requestCounter: requestCounter)
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
    return requestCounter.requests
  }

  private func placeOrder() async throws {
    try await wait(.seconds(4))
    map = pollNearbyTaxis()
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
      try await dispatch.requestTaxi(for: draft, key: .random(), sender: nil)
    }
    guard let assignment else { return }
    lastPosition = assignment.position
    nextPoll = assignment.nextPoll
    while ride == nil { try await follow() }
    try await pay()
    for seconds in [5, 3, 2] { try await wait(.seconds(seconds)) }
  }

  private func pollNearbyTaxis() -> Task<Void, any Error> {
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
      try await clock.sleep(until: nextPoll)
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
      try await service.charge(ride.bill, to: payment, key: .random(), sender: nil)
    }
  }

  private func wait(_ duration: Duration) async throws {
    try await request { [clock] in try await clock.sleep(for: duration) }
  }

  private func request<Answer: Sendable>(_ send: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    try await Task.detached { try await send() }.value
  }
}
