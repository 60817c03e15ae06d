// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs
internal import RIBsStore
package import TaxiOrder

/// Runs one order on the main actor, and reports its events.
package final class WatchedOrder {
  /// An event of the order.
  package enum Event {
    case narration(Narration)
    case activated(TreePath)
    case resigned(TreePath)
    /// A RIB can't continue.
    case failed(TreePath, reason: String)
    case restarted(TreePath, Restarts.Count)
  }

  private let trip: Trip
  private let seed: UInt64
  private let fault: Fault?
  private let link: OrderLink?
  private let fleet: Int
  private let orderedFor: OrderTime?
  private let saved: OrderFiles.Contents?
  private let files: OrderFiles?
  private let disabledPayments: Set<PaymentFeature>
  private let inspector: (any TreeObserver)?
  private let clock: VirtualClock
  /// Launched by `run`.
  private var tree: Tree?

  /// - Parameters:
  ///   - trip: the order.
  ///   - seed: the seed of the simulation.
  ///   - fault: the fault to inject.
  ///   - link: the link that requests the order; nil if the rider does.
  ///   - fleet: the number of free taxis near the rider.
  ///   - inspector: the inspector that may observe the tree.
  package init(
    _ trip: Trip, seed: UInt64, fault: Fault? = nil, link: OrderLink? = nil, fleet: Int = 3,
    inspector: (any TreeObserver)? = nil
  ) {
    self.inspector = inspector
    self.trip = trip
    self.seed = seed
    self.fault = fault
    self.link = link
    self.fleet = fleet
    orderedFor = nil
    saved = nil
    files = nil
    disabledPayments = []
    clock = VirtualClock()
  }

  /// - Parameters:
  ///   - scenario: what happens in the order.
  ///   - saved: the saved order to continue; nil to begin anew.
  ///   - files: where the order is saved; nil for nowhere.
  ///   - disabledPayments: the means of payment that are not offered.
  ///   - inspector: the inspector that may observe the tree.
  package init(
    _ scenario: OrderScenario, restoring saved: OrderFiles.Contents? = nil, saving files: OrderFiles? = nil,
    withoutPayments disabledPayments: Set<PaymentFeature> = [], inspector: (any TreeObserver)? = nil
  ) {
    self.inspector = inspector
    self.disabledPayments = disabledPayments
    trip = scenario.trip
    seed = scenario.seed
    fault = scenario.injectedFault
    link = scenario.link
    fleet = scenario.fleet
    orderedFor = scenario.time
    self.saved = saved
    self.files = files
    clock = VirtualClock(at: saved?.backend.time ?? .zero)
  }

  /// Whether the order was stopped by `stopWhenSaved()`.
  package private(set) var isInterrupted = false

  /// The time on the order's clock.
  package var time: Duration { clock.now.offset }

  /// The current tree; nil while the order is not running.
  package var snapshot: TreeSnapshot? { tree?.snapshot() }

  /// Runs the order to its end, until `stop()` is called, or until the calling task is cancelled.
  ///
  /// - Parameter onEvent: called with each event.
  /// - Throws: `SavedTree.RestoreError` if the saved order can't be restored, and `OrderFiles.Failure` if it can't be saved.
  @MainActor
  package func run(_ onEvent: @escaping (Event) -> Void) async throws -> OrderReport {
    let ribCounter = RIBCounter()
    let requestCounter = RequestCounter()
    let clock = clock
    let end = OrderEnd(clock: clock)
    let memory = BackendMemory(saved?.backend.state ?? BackendMemory.State()) { [files] state in
      files?.save(state, at: clock.time)
    }
    let simulation = OrderSimulation(
      trip: trip, seed: seed, fault: fault, fleet: fleet, clock: clock, requestCounter: requestCounter, memory: memory)
    let services = OrderServices(ReliableServices(OrderServices(simulation), clock: clock))
    var rider = simulation.rider
    rider.ordersInApp = link == nil
    rider.time = orderedFor
    let component = AppComponent(
      rider: rider, services: services, clock: clock,
      narrator: Narrator { narration in onEvent(.narration(narration)) }, ribCounter: ribCounter,
      paymentPoint: PaymentPoint(without: disabledPayments), report: { outcome in end.report(outcome) })
    do {
      let (root, linkHandler) = component.buildOrder()
      let saving = files.map { OrderSaving(files: $0, memory: memory) }
      let configuration = TreeConfiguration(
        clock: clock, wallClock: clock.wallClock, leakDetection: .off, inspector: inspector, saving: saving
      ) { event in
        requestCounter.record(event)
        clock.record(event)
      }
      let tree =
        if let saved {
          try Tree(root: root, restoring: saved.tree, coder: JSONStateCoder(), configuration: configuration)
        } else {
          Tree(root: root, configuration: configuration)
        }
      self.tree = tree
      let subscription = tree.events.subscribe(onNext: { event in
        switch event.kind {
        case .activated:
          if linkHandler.pendingLink != nil, event.path.components.last == "LoggedIn" { clock.workDidBegin() }
          onEvent(.activated(event.path))
        case .resigned: onEvent(.resigned(event.path))
        case .failed: if let error = event.failure { onEvent(.failed(event.path, reason: "\(error)")) }
        case .restarted: if let restarts = event.restarts { onEvent(.restarted(event.path, restarts)) }
        default: break
        }
      })
      tree.launch()
      if let failure = tree.restoreFailure { throw failure }
      if let link, saved == nil { linkHandler.handle(link) }
      // The link waits until the login, and time has to pass meanwhile.
      if linkHandler.pendingLink != nil { clock.workDidEnd() }
      let interactor = root.interactable as? Interactor
      await OrderRun.advanceTime(clock, until: end) {
        // Time passes only when the tree is saved.
        try await interactor?.checkpoint()
        if self.isInterrupted { clock.stop() }
        return clock.advance()
      }
      if isInterrupted { subscription.dispose() }
      await tree.shutdown()
      subscription.dispose()
      self.tree = nil
      try files?.check()
    }
    return OrderReport(
      outcome: end.outcome ?? .cancelled, requests: requestCounter.requests,
      requestsFromInactive: requestCounter.requestsFromInactive, leaked: ribCounter.count)
  }

  /// Ends the order when its current state is saved, as if its process had been killed.
  package func stopWhenSaved() { isInterrupted = true }

  /// Ends the order early.
  package func stop() { clock.stop() }
}
