/// Compares how many orders a second run as trees of RIBs, and as the same requests in bare tasks without a tree.
public struct ThroughputComparison: Sendable {
  /// How many orders a second ran, each in a tree of its own.
  public let trees: Double
  /// How many ran as bare tasks that made the same requests.
  public let bareTasks: Double
  /// How many requests were made, each time.
  public let requests: Int

  /// Measures both, one after the other, several times, and keeps the best of each.
  ///
  /// On a machine that is shared, many short runs tell more than few long ones: each of the two has to find a quiet moment
  /// that lasts for a run.
  ///
  /// - Parameters:
  ///   - orders: how many orders to run each time.
  ///   - concurrency: how many run at a time.
  ///   - runs: how often to measure.
  /// - Throws: what keeps a bare order from ending, and `Difference` if the two did not make as many requests.
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

  /// The two did not make as many requests, so that they can't be compared.
  public struct Difference: Error, Hashable {
    /// How many the trees made.
    public let trees: Int
    /// How many the bare tasks made.
    public let bareTasks: Int
  }

  /// Runs some orders at a time, and adds up their requests.
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
