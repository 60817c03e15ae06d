// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs
package import TaxiOrder

/// Runs an order for each trip of a source.
package struct OrderSeries: Sendable {
  /// The maximum number of concurrent orders.
  let concurrency: Int
  /// The seed of the simulations of all orders.
  let seed: UInt64
  let faults: FaultInjection
  /// The number of free taxis near each rider.
  package var fleet = 0
  /// Negative control: whether positions are polled by work that is bound to no RIB.
  package var usesUnboundWork = false
  /// The probability that a tree is dropped at a random event, and restored from what was saved last.
  package var crashRate = 0.0
  /// The inspector that may observe the orders' trees.
  package var inspector: (any TreeObserver)?
  /// Where the orders are saved; nil for nowhere. Its orders have their own seed, faults and fleet.
  package var store: StoredOrders?

  package init(concurrency: Int, seed: UInt64, faults: FaultInjection = .none) {
    self.concurrency = concurrency
    self.seed = seed
    self.faults = faults
  }

  /// Runs until the source ends or the calling task is cancelled.
  ///
  /// The source is read on the main actor, which no order uses, so that waiting for input blocks no order.
  ///
  /// - Parameters:
  ///   - source: the trips.
  ///   - rejected: called with each invalid row.
  ///   - progress: called with the summary after each trip.
  /// - Returns: the summary, and the error of the source, if any.
  @MainActor
  package func run(
    _ source: inout some TripSource, rejected: (RejectedRow) -> Void = { _ in },
    progress: (SeriesSummary) -> Void = { _ in }
  ) async -> (summary: SeriesSummary, failure: TripFileError?) {
    let start = ContinuousClock.now
    let ribCounter = store?.ribCounter ?? RIBCounter()
    var summary = SeriesSummary()
    if let store { summary.addEarlier(store.earlierReports) }
    var failure: TripFileError?
    await withTaskGroup(of: OrderReport?.self) { orders in
      var running = 0
      while true {
        if running == concurrency, let report = await orders.next() {
          if let report { summary.add(report) }
          running -= 1
        }
        guard !Task.isCancelled, let row = read(&source, &failure) else { break }
        switch row {
        case .rejected(let row):
          summary.rejectedRows += 1
          rejected(row)
        case .trip(let trip):
          var order = OrderRun(
            trip: trip, seed: seed, fault: faults.fault(of: trip, seed: seed), ribCounter: ribCounter)
          order.usesUnboundWork = usesUnboundWork
          order.fleet = fleet
          order.inspector = inspector
          if crashRate > 0 { order.crashes = CrashPlan(rate: crashRate, seed: seed, number: trip.number, fleet: fleet) }
          orders.addTask { [order, store] in
            if let store { await store.run(trip.number) } else { await order.run() }
          }
          running += 1
        }
        progress(summary)
      }
      for await case let report? in orders { summary.add(report) }
    }
    summary.peakLiveRIBs = ribCounter.peak
    summary.wall = ContinuousClock.now - start
    return (summary, failure)
  }

  private func read(_ source: inout some TripSource, _ failure: inout TripFileError?) -> TripReader.Row? {
    do {
      return try source.next()
    } catch let error as TripFileError {
      failure = error
    } catch {
      // Cancelled while waiting for input.
    }
    return nil
  }
}

/// The totals of a series of orders.
package struct SeriesSummary: Hashable, Sendable {
  package private(set) var completed = 0
  package private(set) var cancelled = 0
  package private(set) var failed = 0
  package var rejectedRows = 0
  /// In cents. 128 bits suffice for any number of orders.
  package private(set) var totalCharged: Int128 = 0
  package private(set) var requests = 0
  package private(set) var requestsFromInactive = 0
  package private(set) var leaked = 0
  package var peakLiveRIBs = 0
  package var wall = Duration.zero
  /// The number of orders that had ended before the run.
  package private(set) var earlierOrders = 0

  package init() {}

  /// The number of orders, without rejected rows.
  package var orders: Int { completed + cancelled + failed }

  /// Adds orders that had ended before the run.
  mutating func addEarlier(_ reports: some Collection<OrderReport>) {
    for report in reports { add(report) }
    earlierOrders += reports.count
  }

  mutating func add(_ report: OrderReport) {
    switch report.outcome {
    case .completed(let charged):
      completed += 1
      totalCharged += Int128(charged.count)
    case .failed: failed += 1
    case .cancelled: cancelled += 1
    }
    requests += report.requests
    requestsFromInactive += report.requestsFromInactive
    leaked += report.leaked
  }
}

/// A source of trips.
package protocol TripSource {
  /// The next trip or rejected row; nil at the end.
  mutating func next() throws -> TripReader.Row?
}

extension TripReader: TripSource {}

/// A given number of generated trips.
package struct GeneratedTrips: TripSource {
  private let count: Int
  private let seed: UInt64
  private let first: [Int]
  private let omitted: Set<Int>
  private var firstIndex = 0
  private var number = 0

  /// - Parameters:
  ///   - count: the number of the last trip.
  ///   - seed: the seed of the run.
  ///   - first: the numbers of the trips that come before the others.
  ///   - omitted: the numbers of the trips that are left out.
  package init(count: Int, seed: UInt64, first: [Int] = [], omitted: Set<Int> = []) {
    self.count = count
    self.seed = seed
    self.first = first
    self.omitted = omitted.union(first)
  }

  package mutating func next() -> TripReader.Row? {
    if firstIndex < first.count {
      defer { firstIndex += 1 }
      return .trip(.generated(number: first[firstIndex], seed: seed))
    }
    while number < count {
      number += 1
      if !omitted.contains(number) { return .trip(.generated(number: number, seed: seed)) }
    }
    return nil
  }
}
