internal import RIBs
internal import RIBsInspector
internal import TaxiOrder

extension TaxiProgram {
  /// Runs one order and shows its course.
  @MainActor
  func order(_ options: OrderOptions) async {
    let trip = Trip.generated(from: options.from, to: options.to, seed: options.seed)
    let fault = options.fault.map { FaultInjection(rate: 1, kind: $0) }?.fault(of: trip, seed: options.seed)
    let order = WatchedOrder(trip, seed: options.seed, fault: fault, link: options.link, fleet: options.fleet)
    let writer: any OrderWriter =
      switch options.format {
      case .text:
        TextOrderWriter(
          showsTree: options.showsTree, style: TextStyle(usesColor: terminal.usesColor), write: terminal.out)
      case .json: JSONOrderWriter(showsTree: options.showsTree, write: terminal.out)
      }
    _ = await writer.show(order)
  }

  /// Shows the tree at a stage.
  @MainActor
  func tree(_ options: TreeOptions) async {
    let order = WatchedOrder(.generated(seed: options.seed), seed: options.seed, fleet: options.fleet)
    _ = await order.run { [terminal] event in
      guard case .narration(.stage(options.stage)) = event, let tree = order.snapshot else { return }
      terminal.out(tree.rendered(as: options.format))
      order.stop()
    }
  }
}
