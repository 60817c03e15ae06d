// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("A series of orders", .folded)
struct OrderSeriesTests {
  /// The summary of the orders in the trip file.
  private func summary(concurrency: Int) async throws -> SeriesSummary {
    var reader = try TripReader(FileSource(path: Fixture.path))
    let (summary, failure) = await OrderSeries.folded(concurrency: concurrency, seed: 1).run(&reader)
    #expect(failure == nil)
    return lasting(summary)
  }

  /// A summary without the figures that depend on the time of the run.
  private func lasting(_ summary: SeriesSummary) -> SeriesSummary {
    var summary = summary
    #expect(summary.peakLiveRIBs > 0)
    (summary.peakLiveRIBs, summary.wall) = (0, .zero)
    return summary
  }

  @Test("has the same result whatever the concurrency")
  func determinism() async throws {
    let summary = try await summary(concurrency: 1)
    for concurrency in Thoroughness.isExhaustive ? [2, 3, 8, 100] : [3, 100] {
      #expect(try await self.summary(concurrency: concurrency) == summary, "concurrency \(concurrency)")
    }
    // ProgramTests knows the other figures.
    #expect((summary.requests, summary.requestsFromInactive, summary.leaked) == (257, 0, 0))
  }

  @Test("runs nothing when it is cancelled before it starts, and reports that", .noTrees)
  func cancelled() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var reader = try TripReader(TextSource("pickup,dropoff,distance,fare,tip,tolls,total\n"))
      return await OrderSeries.folded(concurrency: 1, seed: 1).run(&reader).summary.orders
    }
    #expect(try await task.value == 0)
  }

  @Test("counts the requests of work that is bound to no RIB, and has the same outcomes")
  func control() async throws {
    var trips = GeneratedTrips(count: 10, seed: 3)
    let bound = await OrderSeries.folded(concurrency: 2, seed: 3).run(&trips).summary
    var series = OrderSeries.folded(concurrency: 2, seed: 3)
    series.usesUnboundWork = true
    trips = GeneratedTrips(count: 10, seed: 3)
    let unbound = await series.run(&trips).summary
    #expect(bound.requestsFromInactive == 0)
    #expect(bound.requests <= 12 * 10)
    #expect(unbound.requestsFromInactive > 10)
    #expect(unbound.requests > 10 * bound.requests)
    #expect((unbound.totalCharged, unbound.leaked) == (bound.totalCharged, 0))
  }

  /// How many orders are generated: a quarter of all in debug.
  private static func count(of all: Int) -> Int { Thoroughness.isExhaustive ? all : all / 4 }

  /// The summary of generated orders.
  private func summary(
    of count: Int = 60, concurrency: Int = 8, fleet: Int = 2, crashRate: Double, faultRate: Double
  ) async -> SeriesSummary {
    var trips = GeneratedTrips(count: Self.count(of: count), seed: 5)
    var series = OrderSeries.folded(concurrency: concurrency, seed: 5, faults: FaultInjection(rate: faultRate))
    (series.crashRate, series.fleet) = (crashRate, fleet)
    return lasting(await series.run(&trips).summary)
  }

  @Test("has the same summary when trees crash and are restored")
  func crashes() async {
    let whole = await summary(crashRate: 0, faultRate: 0)
    #expect(whole.completed == Self.count(of: 60))
    for rate in Thoroughness.isExhaustive ? [0.3, 0.8] : [0.8] {
      #expect(await summary(crashRate: rate, faultRate: 0) == whole, "rate \(rate)")
    }
  }

  @Test("ends although each tree crashes, and its saves are further apart than an order without taxis has events")
  func crashesOfLargeTrees() async {
    let whole = await summary(of: 4, fleet: 100, crashRate: 0, faultRate: 0)
    #expect(await summary(of: 4, fleet: 100, crashRate: 1, faultRate: 0) == whole)
  }

  @Test("has the same outcomes when trees crash and are restored, with faults too")
  func crashesWithFaults() async {
    let whole = await summary(crashRate: 0, faultRate: 0.7)
    let crashed = await summary(crashRate: 0.5, faultRate: 0.7)
    #expect((crashed.completed, crashed.cancelled, crashed.failed) == (whole.completed, whole.cancelled, whole.failed))
    #expect((crashed.totalCharged, crashed.requestsFromInactive, crashed.leaked) == (whole.totalCharged, 0, 0))
    // A restored tree attempts a failing request again.
    #expect(crashed.requests >= whole.requests)
  }

  @Test("has the same outcome of each order whatever the concurrency, with faults too")
  func faults() async {
    func summary(_ concurrency: Int) async -> SeriesSummary {
      await self.summary(of: 200, concurrency: concurrency, fleet: 0, crashRate: 0, faultRate: 0.7)
    }
    let (one, count) = (await summary(1), Self.count(of: 200))
    #expect((one.orders, one.requestsFromInactive, one.leaked) == (count, 0, 0))
    #expect(one.completed > count / 4 && one.cancelled > count / 40 && one.failed > count / 10)
    for concurrency in Thoroughness.isExhaustive ? [2, 7, 40] : [7] {
      #expect(await summary(concurrency) == one, "concurrency \(concurrency)")
    }
  }
}
