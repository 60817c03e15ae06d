import RIBs
import Testing

@testable import TaxiOrder

@Suite("An order in its own tree")
struct OrderRunTests {
  @Test("completes with what its bill says, in twelve requests by card and eleven in cash, and leaves nothing behind")
  func completion() async throws {
    for trip in try Fixture.trips() {
      let report = await OrderRun(trip: trip, seed: 1, census: Census()).run()
      let requests = trip.rider.payment == .card ? 12 : 11
      #expect(
        report
          == OrderReport(
            outcome: .completed(charged: trip.bill.total), requests: requests, requestsFromInactive: 0, leaked: 0))
    }
  }

  @Test("fails when a service does, with its reason, and its tree is shut down", arguments: FaultyService.Part.allCases)
  func faults(part: FaultyService.Part) async throws {
    let trip = Trip.invented(from: nil, to: nil, seed: 1)
    #expect(trip.rider.payment == .card)
    let census = Census()
    var order = OrderRun(trip: trip, seed: 1, census: census)
    order.services = { simulation in FaultyService(part).services(simulation) }
    let report = await order.run()
    #expect(report.outcome == .failed("\(part) is down"))
    #expect(report.requestsFromInactive == 0)
    #expect(report.leaked == 0)
    #expect(census.living == 0)
  }

  @Test("shuts down its tree when it is cancelled during a request", arguments: FaultyService.Part.allCases)
  func cancellation(part: FaultyService.Part) async {
    let stuck = StuckService(part)
    var order = OrderRun(trip: .invented(from: nil, to: nil, seed: 1), seed: 1, census: Census())
    order.services = { simulation in stuck.services(simulation) }
    let task = Task { [order] in await order.run() }
    await stuck.waitForRequest()
    task.cancel()
    let report = await task.value
    #expect(report.outcome == .cancelled)
    #expect(report.requestsFromInactive == 0)
    #expect(report.leaked == 0)
  }

  @Test("counts the RIBs of all orders while they are alive, and none afterwards")
  func census() async throws {
    let census = Census()
    for trip in try Fixture.trips().prefix(3) { _ = await OrderRun(trip: trip, seed: 1, census: census).run() }
    #expect(census.living == 0)
    // Root, LoggedIn, Map, Order, OrderResultDetail and its five children; possibly Dispatching, if not yet released.
    #expect((10...12).contains(census.peak))
  }
}
