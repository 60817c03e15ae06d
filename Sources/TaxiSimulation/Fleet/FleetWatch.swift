// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs
package import TaxiOrder

/// Runs a fleet on the main actor, with time as a multiple of real time.
package final class FleetWatch {
  private let taxis: Int
  private let speed: Int
  private let orders: FleetOrders
  private let inspector: (any TreeObserver)?
  /// Launched by `run`.
  private var tree: Tree?

  /// - Parameters:
  ///   - taxis: the number of taxis.
  ///   - orders: the number of orders; nil for no limit.
  ///   - speed: the speed of time, as a multiple of real time.
  ///   - seed: the seed of all generated data.
  ///   - faults: the faults to inject.
  ///   - inspector: the inspector that may observe the tree.
  package init(
    taxis: Int, orders: Int? = nil, speed: Int, seed: UInt64 = 1, faults: FaultInjection = .none,
    inspector: (any TreeObserver)? = nil
  ) {
    self.taxis = taxis
    self.inspector = inspector
    self.speed = speed
    self.orders = FleetOrders(count: orders, seed: seed, faults: faults)
  }

  /// The current tree; nil while the fleet is not running.
  package var snapshot: TreeSnapshot? { tree?.snapshot() }

  /// The number of requests sent by inactive RIBs.
  var requestsFromInactive: Int { orders.requestCounter.requestsFromInactive }

  /// Runs the fleet until all orders have ended, it is stopped, or the calling task is cancelled.
  ///
  /// - Parameters:
  ///   - presenter: shows the fleet.
  ///   - measure: returns the size of the screen; nil if there is none.
  ///   - isStopped: called before time advances: whether the fleet ends early.
  /// - Returns: the last state of the fleet.
  @MainActor
  package func run(
    _ presenter: any FleetPresentable, measure: @escaping () -> ScreenSize?, until isStopped: () -> Bool = { false }
  ) async -> FleetViewModel {
    let (clock, requestCounter) = (orders.clock, orders.requestCounter)
    let interactor = FleetInteractor(
      presenter: presenter, taxis: taxis, source: orders, measure: measure,
      onEnd: { clock.stop() })
    let tree = Tree(
      root: FleetRouter(interactor: interactor),
      configuration: TreeConfiguration(leakDetection: .off, inspector: inspector) { event in
        requestCounter.record(event)
        // The fleet's own work, such as waiting for the next frame, does not delay the orders' clock.
        if event.path.components.count > 1 { clock.record(event) }
      })
    self.tree = tree
    tree.launch()
    let speed = speed
    _ = try? await clock.run {
      if isStopped() { clock.stop() }
      let before = clock.now
      let step = clock.advance()
      if step == .resumed { try await ContinuousClock().sleep(for: before.duration(to: clock.now) / speed) }
      return step
    }
    let last = interactor.viewModel
    await tree.shutdown()
    self.tree = nil
    return last
  }
}
