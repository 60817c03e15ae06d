import Testing

@testable import TaxiOrder

@Suite("A series of orders")
struct OrderSeriesTests {
  private func summary(concurrency: Int, seed: UInt64 = 1) async throws -> SeriesSummary {
    var reader = try TripReader(FileSource(path: Fixture.path))
    var (summary, failure) = await OrderSeries(concurrency: concurrency, seed: seed).run(&reader)
    #expect(failure == nil)
    #expect(summary.peakLiveRIBs > 0)
    summary.peakLiveRIBs = 0
    summary.wall = .zero
    return summary
  }

  @Test("has the same result whatever the concurrency", arguments: [2, 3, 8, 100])
  func determinism(concurrency: Int) async throws {
    let summary = try await summary(concurrency: concurrency)
    #expect(try await self.summary(concurrency: 1) == summary)
    #expect(summary.orders == 22)
    #expect(summary.completed == 22)
    #expect(summary.rejectedRows == 22)
    #expect(summary.totalCharged == 52_669)
    #expect(summary.requests == 257)
    #expect(summary.requestsFromInactive == 0)
    #expect(summary.leaked == 0)
  }

  @Test("runs nothing when it is cancelled before it starts, and reports that")
  func cancelled() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await summary(cancelled: ())
    }
    let orders = try await task.value
    #expect(orders == 0)
  }

  private func summary(cancelled: Void) async throws -> Int {
    var reader = try TripReader(TextSource("pickup,dropoff,distance,fare,tip,tolls,total\n"))
    return await OrderSeries(concurrency: 1, seed: 1).run(&reader).summary.orders
  }

  @Test("counts the requests of work that is bound to no RIB, and has the same outcomes")
  func control() async throws {
    var trips = GeneratedTrips(count: 10, seed: 3)
    let bound = await OrderSeries(concurrency: 2, seed: 3).run(&trips).summary
    var series = OrderSeries(concurrency: 2, seed: 3)
    series.usesUnboundWork = true
    trips = GeneratedTrips(count: 10, seed: 3)
    let unbound = await series.run(&trips).summary
    #expect(bound.requestsFromInactive == 0)
    #expect(bound.requests <= 12 * 10)
    #expect(unbound.requestsFromInactive > 10)
    #expect(unbound.requests > 10 * bound.requests)
    #expect(unbound.totalCharged == bound.totalCharged)
    #expect(unbound.leaked == 0)
  }

  @Test("has the same outcome of each order whatever the concurrency, with faults too", arguments: [2, 7, 40])
  func faults(concurrency: Int) async {
    func summary(_ concurrency: Int) async -> SeriesSummary {
      var trips = GeneratedTrips(count: 200, seed: 5)
      let series = OrderSeries(concurrency: concurrency, seed: 5, faults: FaultInjection(rate: 0.7))
      var summary = await series.run(&trips).summary
      #expect(summary.peakLiveRIBs > 0)
      summary.peakLiveRIBs = 0
      summary.wall = .zero
      return summary
    }
    async let one = summary(1)
    let summary = await summary(concurrency)
    #expect(await one == summary)
    #expect(summary.orders == 200)
    #expect(summary.completed > 50 && summary.cancelled > 5 && summary.failed > 20)
    #expect(summary.requestsFromInactive == 0)
    #expect(summary.leaked == 0)
  }
}
