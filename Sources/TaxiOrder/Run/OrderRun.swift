internal import RIBs

/// One order of a replay: runs it in a tree of its own, and says how it went.
struct OrderRun: Sendable {
  let trip: Trip
  let seed: UInt64
  /// Counts the RIBs of all orders.
  let census: Census
  /// What the order uses of its simulation, and in place of it: tests put faults in.
  var services: @Sendable (OrderSimulation) -> OrderServices = { OrderServices($0) }

  /// Runs the order to its end, or until the calling task is cancelled; in both cases the tree ends in order.
  func run() async -> OrderReport {
    let census = Census(partOf: census)
    let ledger = RequestLedger()
    let clock = VirtualClock()
    let end = OrderEnd()
    let services = services(OrderSimulation(trip: trip, seed: seed, clock: clock, ledger: ledger))
    let configuration = TreeConfiguration(clock: clock, leakDetection: .off, onEvent: { ledger.record($0) })
    let host = await TreeHost(configuration: configuration) { [rider = trip.rider] in
      let component = AppComponent(
        rider: rider, services: services, clock: clock, narrator: Narrator(), census: census,
        report: { outcome in end.report(outcome) })
      return RootBuilder(dependency: component).build()
    }
    await end.wait()
    // In a task of its own, which nobody cancels: the tree is to end in order also when the order is cancelled.
    await Task { _ = await host.shutdown() }.value
    return OrderReport(
      outcome: end.outcome, requests: ledger.requests, requestsFromInactive: ledger.requestsFromInactive,
      leaked: census.living)
  }
}
