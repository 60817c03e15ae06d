package import RIBs

/// Runs one order on the main actor, and reports its events.
package final class WatchedOrder {
  /// An event of the order.
  package enum Event {
    case narration(Narration)
    case activated(TreePath)
    case resigned(TreePath)
  }

  private let trip: Trip
  private let seed: UInt64
  private let fault: Fault?
  private let link: OrderLink?
  private let fleet: Int
  private let clock = VirtualClock()
  /// Launched by `run`.
  private var tree: Tree?

  /// - Parameters:
  ///   - trip: the order.
  ///   - seed: the seed of the simulation.
  ///   - fault: the fault to inject.
  ///   - link: the link that requests the order; nil if the rider does.
  ///   - fleet: the number of free taxis near the rider.
  package init(_ trip: Trip, seed: UInt64, fault: Fault? = nil, link: OrderLink? = nil, fleet: Int = 3) {
    self.trip = trip
    self.seed = seed
    self.fault = fault
    self.link = link
    self.fleet = fleet
  }

  /// The time on the order's clock.
  package var time: Duration { clock.now.offset }

  /// The current tree; nil while the order is not running.
  package var snapshot: TreeSnapshot? { tree?.snapshot() }

  /// Runs the order to its end, until `stop()` is called, or until the calling task is cancelled.
  ///
  /// - Parameter onEvent: called with each event.
  @MainActor
  package func run(_ onEvent: @escaping (Event) -> Void) async -> OrderReport {
    let ribCounter = RIBCounter()
    let requestCounter = RequestCounter()
    let clock = clock
    let end = OrderEnd(clock: clock)
    let simulation = OrderSimulation(
      trip: trip, seed: seed, fault: fault, fleet: fleet, clock: clock, requestCounter: requestCounter)
    let services = OrderServices(ReliableServices(OrderServices(simulation), clock: clock))
    var rider = simulation.rider
    rider.ordersInApp = link == nil
    let component = AppComponent(
      rider: rider, services: services, clock: clock,
      narrator: Narrator { narration in onEvent(.narration(narration)) }, ribCounter: ribCounter,
      report: { outcome in end.report(outcome) })
    do {
      let (root, linkHandler) = RootBuilder(dependency: component).build()
      let tree = Tree(
        root: root,
        configuration: TreeConfiguration(clock: clock, leakDetection: .off) { event in
          requestCounter.record(event)
          clock.record(event)
        })
      self.tree = tree
      let subscription = tree.events.subscribe(onNext: { event in
        switch event.kind {
        case .activated:
          if self.link != nil, event.path.components.last == "LoggedIn" { clock.workDidBegin() }
          onEvent(.activated(event.path))
        case .resigned: onEvent(.resigned(event.path))
        default: break
        }
      })
      tree.launch()
      if let link {
        linkHandler.handle(link)
        // The link waits until the login, and time has to pass meanwhile.
        clock.workDidEnd()
      }
      await OrderRun.advanceTime(clock, until: end) { clock.advance() }
      await tree.shutdown()
      subscription.dispose()
      self.tree = nil
    }
    return OrderReport(
      outcome: end.outcome ?? .cancelled, requests: requestCounter.requests,
      requestsFromInactive: requestCounter.requestsFromInactive, leaked: ribCounter.count)
  }

  /// Ends the order early.
  package func stop() { clock.stop() }
}
