// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBsInspector
internal import TaxiSimulation

extension TaxiProgram {
  /// Shows a fleet: as a full screen on a terminal, otherwise as lines.
  ///
  /// - Returns: the exit status.
  @MainActor
  func watch(_ options: WatchOptions) async -> Int32 {
    let inspector: Inspector?
    do throws(InspectorError) {
      inspector = try startInspector(isShown: options.isInspected, recordPath: options.recordPath)
    } catch {
      return report(error)
    }
    defer { inspector?.stop() }
    let fleet = FleetWatch(
      taxis: options.taxis, orders: options.orders, speed: options.speed, seed: options.seed, faults: options.faults,
      inspector: observer(inspector))
    // Without output, an endless day would have no end.
    let isStopped = { [terminal] in terminal.outputFailure() != nil }
    let last: FleetViewModel
    if let screen = terminal.screen {
      screen.open()
      defer { screen.close() }
      let presenter = FleetScreenPresenter(
        screen: screen, style: TextStyle(usesColor: terminal.usesColor), tree: { [unowned fleet] in fleet.snapshot })
      last = await fleet.run(presenter, measure: { screen.size }, until: isStopped)
    } else {
      last = await fleet.run(FleetLinePresenter(write: terminal.out), measure: { nil }, until: isStopped)
    }
    terminal.out("\(last.summary).\n")
    return ExitStatus.success
  }
}
