// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
package import TaxiOrder

/// Runs one order of many in its own tree, and reports the result.
struct OrderRun: Sendable {
  let trip: Trip
  let seed: UInt64
  var fault: Fault?
  /// The number of free taxis near the rider, each a RIB.
  var fleet = 0
  /// Counts the RIBs of all orders.
  let ribCounter: RIBCounter
  /// Negative control: whether positions are polled by work that is bound to no RIB.
  var usesUnboundWork = false
  /// The inspector that may observe the tree.
  var inspector: (any TreeObserver)?
  /// When the tree is dropped and restored; nil for never.
  var crashes: CrashPlan?
  /// How often a RIB is restarted that fails because of the backend.
  var restarts = Restarts.outlastingOutage
  /// Whether `OrderReport.requestsFromInactive` is counted, for which the activations and resignations of all RIBs are
  /// recorded. The simulation's clock needs the events of bound work only.
  var checksSenders = true
  /// Called after each recorded event of the tree.
  var onEvent: @Sendable () -> Void = {}
  /// Replaces services of the simulation in tests.
  var services: @Sendable (OrderSimulation) -> OrderServices = { OrderServices($0) }

  static let recorded = RequestCounter.recorded.union(VirtualClock.recorded)

  /// Runs the order to its end, or until the calling task is cancelled. The tree is shut down in both cases.
  func run() async -> OrderReport {
    if let crashes { return await OrderLives(self, crashes).run().report }
    let ribCounter = RIBCounter(partOf: ribCounter)
    let requestCounter = RequestCounter()
    let clock = VirtualClock()
    let end = OrderEnd(clock: clock)
    let simulation = OrderSimulation(
      trip: trip, seed: seed, fault: fault, fleet: fleet, clock: clock, requestCounter: requestCounter)
    var services = OrderServices(ReliableServices(services(simulation), clock: clock))
    if usesUnboundWork { services.vehicle = UnboundPolling(services.vehicle, clock: clock) }
    let configuration = TreeConfiguration(
      clock: clock, wallClock: clock.wallClock, leakDetection: .off, inspector: inspector,
      eventKinds: checksSenders ? OrderRun.recorded : VirtualClock.recorded
    ) { event in
      if checksSenders { requestCounter.record(event) }
      clock.record(event)
      onEvent()
    }
    await OrderActor().run(configuration, clock, until: end) { [services] in
      let component = AppComponent(
        rider: simulation.rider, services: services, clock: clock, narrator: Narrator(), ribCounter: ribCounter,
        restarts: restarts, report: { outcome in end.report(outcome) })
      return component.buildOrder().router
    }
    return OrderReport(
      outcome: end.outcome ?? .cancelled, requests: requestCounter.requests,
      requestsFromInactive: requestCounter.requestsFromInactive, leaked: ribCounter.count)
  }

  /// Advances the clock until the order has ended. An order that gets stuck has failed.
  nonisolated(nonsending) static func advanceTime(
    _ clock: VirtualClock, until end: OrderEnd, _ advance: nonisolated(nonsending) () async throws -> VirtualClock.Step
  ) async {
    do {
      guard try await clock.run(advance) else { return }
      end.report(.failed(reason: "the order is stuck: no work is running or scheduled"))
    } catch {
      end.report(.failed(reason: "\(error)"))
    }
  }
}

/// The actor of an order's tree. Its clock advances here too, so that time never passes during a callback of the
/// tree.
private actor OrderActor {
  private var tree: Tree?

  /// Runs a tree until its order has ended, then shuts it down.
  func run(
    _ configuration: TreeConfiguration, _ clock: VirtualClock, until end: OrderEnd, _ build: @Sendable () -> any Routing
  ) async {
    tree = Tree(root: build(), configuration: configuration)
    tree?.launch()
    await OrderRun.advanceTime(clock, until: end) {
      // Uses the isolation: otherwise the hop back to this actor is omitted (Swift 6.3).
      self.preconditionIsolated()
      return clock.advance()
    }
    // In a cancelled task, `shutdown` does not wait for running work. Shut down completely in another task.
    if await !shutdown() { await Task { _ = await shutdown() }.value }
    tree = nil
  }

  /// - Returns: whether all work of the tree has ended.
  private func shutdown() async -> Bool { await tree?.shutdown().unfinishedTasks.isEmpty ?? true }
}

/// Receives the outcome of an order from its tree, and stops the order's clock.
final class OrderEnd: Sendable {
  private let clock: VirtualClock
  private let reported = Locked<OrderOutcome?>(nil)
  private let isClosed = Locked(false)

  init(clock: VirtualClock) { self.clock = clock }

  /// The outcome; nil if the order has not ended.
  var outcome: OrderOutcome? { reported.withLock { $0 } }

  func report(_ outcome: OrderOutcome) {
    guard isClosed.withLock({ !$0 }) else { return }
    reported.withLock { $0 = outcome }
    clock.stop()
  }

  /// Ignores all later reports, and stops the clock.
  func close() {
    isClosed.withLock { $0 = true }
    clock.stop()
  }
}

/// The result of an order in a run.
package struct OrderReport: Hashable, Codable, Sendable {
  package let outcome: OrderOutcome
  package let requests: Int
  package let requestsFromInactive: Int
  /// The number of RIBs that were alive after the tree had been shut down.
  package let leaked: Int
}
