internal import TaxiOrder

extension TaxiProgram {
  /// Shows a fleet: as a full screen on a terminal, otherwise as lines.
  @MainActor
  func watch(_ options: WatchOptions) async {
    let fleet = FleetWatch(
      taxis: options.taxis, orders: options.orders, speed: options.speed, seed: options.seed, faults: options.faults)
    let last: FleetViewModel
    if let screen = terminal.screen {
      screen.open()
      defer { screen.close() }
      let presenter = FleetScreenPresenter(
        screen: screen, style: TextStyle(usesColor: terminal.usesColor), tree: { [unowned fleet] in fleet.snapshot })
      last = await fleet.run(presenter, measure: { screen.size })
    } else {
      last = await fleet.run(FleetLinePresenter(write: terminal.out), measure: { nil })
    }
    terminal.out("\(last.summary).\n")
  }
}
