// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiSimulation

@Suite("The comparison with bare tasks", .folded)
struct ThroughputComparisonTests {
  @Test("makes the same requests with trees and without")
  func requests() async throws {
    let comparison = try await ThroughputComparison(orders: 30, concurrency: 4, runs: 1)
    var trips = GeneratedTrips(count: 30, seed: 1)
    let summary = await OrderSeries.folded(concurrency: 1, seed: 1).run(&trips).summary
    #expect(comparison.requests == summary.requests)
    #expect(comparison.trees > 0)
    #expect(comparison.bareTasks > 0)
  }
}
