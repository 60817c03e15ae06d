// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import TaxiOrder
internal import TaxiSimulation

/// Draws a fleet on a full screen.
final class FleetScreenPresenter: FleetPresentable {
  private let screen: TerminalScreen
  private let text: FleetScreen
  /// Takes a snapshot of the tree.
  private let tree: () -> TreeSnapshot?

  init(screen: TerminalScreen, style: TextStyle, tree: @escaping () -> TreeSnapshot?) {
    self.screen = screen
    text = FleetScreen(style: style)
    self.tree = tree
  }

  func report(_ event: FleetEvent) {}

  func show(_ viewModel: FleetViewModel) {
    screen.draw(text.lines(viewModel, tree: tree(), size: viewModel.size ?? screen.size))
  }
}

/// Writes the events of a fleet as lines, for files and other programs.
final class FleetLinePresenter: FleetPresentable {
  private let write: (String) -> Void

  init(write: @escaping (String) -> Void) { self.write = write }

  func report(_ event: FleetEvent) {
    let text: String
    switch event.kind {
    case .began(let trip): text = trip.rider.route
    case .entered(let stage): text = stage.title
    case .showed: return
    case .ended(.completed(let charged)): text = "completed, \(charged) charged"
    case .ended(.cancelled): text = "cancelled"
    case .ended(.failed(let reason)): text = "failed: \(reason.printable)"
    }
    write("\(event.time.clockText)  taxi \(event.taxi + 1)  order \(event.order)  \(text)\n")
  }

  func show(_ viewModel: FleetViewModel) {}
}
