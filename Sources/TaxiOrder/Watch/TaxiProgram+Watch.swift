extension TaxiProgram {
  /// Shows a fleet: as a full screen on a terminal, otherwise as lines.
  @MainActor
  func watch(_ options: WatchOptions) async {
    let fleet = FleetWatch(options)
    let last: FleetPicture
    if let screen = terminal.screen {
      screen.open()
      defer { screen.close() }
      let presenter = FleetScreenPresenter(
        screen: screen, style: TextStyle(usesColour: terminal.usesColour), tree: { [unowned fleet] in fleet.snapshot })
      last = await fleet.run(presenter, measure: { screen.size })
    } else {
      last = await fleet.run(FleetLinePresenter(write: terminal.out), measure: { nil })
    }
    terminal.out("\(last.summary).\n")
  }
}
