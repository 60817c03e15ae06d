internal import RIBs

/// One order of many: runs it in a tree of its own, and says how it went.
struct OrderRun: Sendable {
  let trip: Trip
  let seed: UInt64
  var fault: Fault?
  /// How many free taxis are near the rider, each a RIB on the map.
  var fleet = 0
  /// Counts the RIBs of all orders.
  let census: Census
  /// Whether positions are asked for by work that is bound to no RIB: the control.
  var usesUnboundWork = false
  /// Who may look at the tree.
  var inspector: (any TreeObserver)?
  /// What the order uses of its simulation, and in place of it: tests put other services in.
  var services: @Sendable (OrderSimulation) -> OrderServices = { OrderServices($0) }

  private static let recorded = RequestLedger.recorded.union(VirtualClock.recorded)

  /// Runs the order to its end, or until the calling task is cancelled; in both cases the tree ends in order.
  func run() async -> OrderReport {
    let census = Census(partOf: census)
    let ledger = RequestLedger()
    let clock = VirtualClock()
    let end = OrderEnd(clock: clock)
    let simulation = OrderSimulation(trip: trip, seed: seed, fault: fault, fleet: fleet, clock: clock, ledger: ledger)
    var services = OrderServices(ReliableServices(services(simulation), clock: clock))
    if usesUnboundWork { services.vehicle = UnboundPolling(services.vehicle, clock: clock) }
    let configuration = TreeConfiguration(
      clock: clock, leakDetection: .off, inspector: inspector, eventKinds: OrderRun.recorded
    ) { event in
      ledger.record(event)
      clock.record(event)
    }
    await OrderHome().run(configuration, clock, until: end) { [services] in
      let component = AppComponent(
        rider: simulation.rider, services: services, clock: clock, narrator: Narrator(), census: census,
        report: { outcome in end.report(outcome) })
      return RootBuilder(dependency: component).build().router
    }
    return OrderReport(
      outcome: end.outcome ?? .cancelled, requests: ledger.requests,
      requestsFromInactive: ledger.requestsFromInactive, leaked: census.living)
  }

  /// Lets time pass until the order has ended. One that gets stuck has failed.
  nonisolated(nonsending) static func letTimePass(
    _ clock: VirtualClock, until end: OrderEnd, _ advance: nonisolated(nonsending) () async throws -> VirtualClock.Step
  ) async {
    do {
      guard try await clock.run(advance) else { return }
      end.report(.failed("nothing is left that could happen"))
    } catch {
      end.report(.failed("\(error)"))
    }
  }
}

/// Where an order runs: its tree belongs to this actor, and time passes here too, so that it never passes while a callback
/// of the tree is under way.
private actor OrderHome {
  private var tree: Tree?

  /// Runs a tree until its order has ended, and then ends it.
  func run(
    _ configuration: TreeConfiguration, _ clock: VirtualClock, until end: OrderEnd, _ build: @Sendable () -> any Routing
  ) async {
    tree = Tree(root: build(), configuration: configuration)
    tree?.launch()
    await OrderRun.letTimePass(clock, until: end) {
      // Uses the isolation: otherwise the hop back to this actor is left out (Swift 6.3).
      self.preconditionIsolated()
      return clock.advance()
    }
    // A cancelled task does not wait for work that is still under way. The tree is to end in order all the same.
    if await !shutdown() { await Task { _ = await shutdown() }.value }
    tree = nil
  }

  /// - Returns: whether all of the tree's work has ended.
  private func shutdown() async -> Bool { await tree?.shutdown().unfinishedTasks.isEmpty ?? true }
}
