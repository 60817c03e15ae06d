internal import RIBs

/// A fleet on the main actor, whose time passes so many times as fast as that of people.
final class FleetWatch {
  private let options: WatchOptions
  private let orders: FleetOrders
  /// Launched by `run`.
  private var tree: Tree?

  init(_ options: WatchOptions) {
    self.options = options
    orders = FleetOrders(count: options.orders, seed: options.seed, faults: options.faults)
  }

  /// The tree as it stands; nil while the fleet does not run.
  var snapshot: TreeSnapshot? { tree?.snapshot() }

  /// How many requests were sent by RIBs that were not active.
  var requestsFromInactive: Int { orders.ledger.requestsFromInactive }

  /// Runs the fleet until all orders have ended, or until the calling task is cancelled.
  ///
  /// - Parameters:
  ///   - presenter: shows the fleet.
  ///   - measure: looks how large the screen is; nil if there is none.
  /// - Returns: how it went.
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
        // What the fleet itself does, such as waiting for the next frame, takes no time of the orders.
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
