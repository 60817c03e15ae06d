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
            await OrderRun(trip: trip, seed: 1, census: Census()).run().requests
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
    var trips = InventedTrips(count: orders, seed: 1)
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
