// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import TaxiOrder

/// Generates the orders of a fleet and their RIBs.
final class FleetOrders {
  let clock = VirtualClock()
  /// Checks the senders of requests.
  let requestCounter = RequestCounter()
  private let count: Int?
  private let seed: UInt64
  private let faults: FaultInjection
  private let ribCounter = RIBCounter()

  /// - Parameters:
  ///   - count: the number of orders; nil for no limit.
  ///   - seed: the seed of all generated data.
  ///   - faults: the faults to inject.
  init(count: Int?, seed: UInt64, faults: FaultInjection) {
    self.count = count
    self.seed = seed
    self.faults = faults
  }

  /// A page of trips.
  func trips(from offset: Int, atMost limit: Int) -> [Trip] {
    let end = min(offset + limit, count ?? .max)
    return (offset..<max(offset, end)).map { .generated(number: $0 + 1, seed: seed) }
  }

  /// Builds the RIBs of an order.
  func order(
    for trip: Trip, narrator: Narrator, report: @escaping (OrderOutcome) -> Void
  ) -> any RootRouting {
    let simulation = OrderSimulation(
      trip: trip, seed: seed, fault: faults.fault(of: trip, seed: seed), clock: clock, requestCounter: requestCounter)
    let component = AppComponent(
      rider: simulation.rider, services: OrderServices(ReliableServices(OrderServices(simulation), clock: clock)),
      clock: clock, narrator: narrator, ribCounter: ribCounter, report: report)
    return component.buildOrder().router
  }
}
