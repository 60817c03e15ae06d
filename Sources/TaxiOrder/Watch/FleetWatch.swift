internal import RIBs

/// Runs a fleet on the main actor, with time as a multiple of real time.
final class FleetWatch {
  private let options: WatchOptions
  private let orders: FleetOrders
  /// Launched by `run`.
  private var tree: Tree?

  init(_ options: WatchOptions) {
    self.options = options
    orders = FleetOrders(count: options.orders, seed: options.seed, faults: options.faults)
  }

  /// The current tree; nil while the fleet is not running.
  var snapshot: TreeSnapshot? { tree?.snapshot() }

  /// The number of requests sent by inactive RIBs.
  var requestsFromInactive: Int { orders.ledger.requestsFromInactive }

  /// Runs the fleet until all orders have ended, or until the calling task is cancelled.
  ///
  /// - Parameters:
  ///   - presenter: shows the fleet.
  ///   - measure: returns the size of the screen; nil if there is none.
  /// - Returns: the last state of the fleet.
  @MainActor
  func run(_ presenter: any FleetPresentable, measure: @escaping () -> ScreenSize?) async -> FleetPicture {
    let (clock, ledger) = (orders.clock, orders.ledger)
    let interactor = FleetInteractor(
      presenter: presenter, taxis: options.taxis, source: orders, measure: measure,
      onEnd: { clock.stop() })
    let tree = Tree(
      root: FleetRouter(interactor: interactor),
      configuration: TreeConfiguration(leakDetection: .off) { event in
        ledger.record(event)
        // The fleet's own work, such as waiting for the next frame, does not delay the orders' clock.
        if event.path.components.count > 1 { clock.record(event) }
      })
    self.tree = tree
    tree.launch()
    let speed = options.speed
    _ = try? await clock.run {
      let before = clock.now
      let step = clock.advance()
      if step == .woken { try await ContinuousClock().sleep(for: before.duration(to: clock.now) / speed) }
      return step
    }
    let last = interactor.picture
    await tree.shutdown()
    self.tree = nil
    return last
  }
}
