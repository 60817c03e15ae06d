// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TestSupport
import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("An order in its own tree", .folded)
struct OrderRunTests {
  @Test("completes with what its bill says, in twelve requests by card and eleven in cash, and leaves nothing behind")
  func completion() async throws {
    for trip in try Fixture.trips() {
      let report = await OrderRun.folded(trip: trip, seed: 1, ribCounter: RIBCounter()).run()
      let requests = trip.rider.payment == .card ? 12 : 11
      #expect(report == .sound(.completed(charged: trip.bill.total), requests: requests))
    }
  }

  @Test(
    "fails when a service does, with its reason, and its tree is shut down", arguments: DisturbedService.Part.allCases)
  func faults(part: DisturbedService.Part) async throws {
    let trip = Trip.generated(from: nil, to: nil, seed: 1)
    #expect(trip.rider.payment == .card)
    let ribCounter = RIBCounter()
    var order = OrderRun.folded(trip: trip, seed: 1, ribCounter: ribCounter)
    order.disturb { request in
      if part.requests.contains(request) { throw DisturbedService.Down(description: "\(part) is down") }
    }
    let report = await order.run()
    #expect(report == .sound(.failed(reason: "\(part) is down"), requests: report.requests))
    #expect(ribCounter.count == 0)
  }

  @Test("shuts down its tree when it is cancelled during a request", arguments: DisturbedService.Part.allCases)
  func cancellation(part: DisturbedService.Part) async {
    let (requests, received) = AsyncStream<Void>.makeStream()
    var order = OrderRun.folded(trip: .generated(from: nil, to: nil, seed: 1), seed: 1, ribCounter: RIBCounter())
    order.disturb { request in
      guard part.requests.contains(request), request != .nearbyTaxis else { return }
      received.yield()
      // Returns when it is cancelled.
      await Gate().pass()
      throw CancellationError()
    }
    let task = Task { [order] in await order.run() }
    await first(of: requests)
    task.cancel()
    let report = await task.value
    #expect(report == .sound(.cancelled, requests: report.requests))
  }

  @Test("counts the RIBs of all orders while they are alive, and none afterwards")
  func counting() async throws {
    let ribCounter = RIBCounter()
    for trip in try Fixture.trips().prefix(3) {
      _ = await OrderRun.folded(trip: trip, seed: 1, ribCounter: ribCounter).run()
    }
    #expect(ribCounter.count == 0)
    // Root, LoggedIn, Map, Order, OrderResultDetail and its five children; possibly Dispatching, if not yet released.
    #expect((10...12).contains(ribCounter.peak))
  }
}
