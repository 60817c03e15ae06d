internal import RIBs
internal import TaxiOrder

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

  func report(_ news: FleetNews) {}

  func show(_ picture: FleetPicture) {
    screen.draw(text.lines(picture, tree: tree(), size: picture.size ?? screen.size))
  }
}

/// Writes the events of a fleet as lines, for files and other programs.
final class FleetLinePresenter: FleetPresentable {
  private let write: (String) -> Void

  init(write: @escaping (String) -> Void) { self.write = write }

  func report(_ news: FleetNews) {
    let event: String
    switch news.event {
    case .began(let trip): event = trip.rider.route
    case .entered(let stage): event = stage.title
    case .showed: return
    case .ended(.completed(let charged)): event = "completed, \(charged) charged"
    case .ended(.cancelled): event = "cancelled"
    case .ended(.failed(let reason)): event = "failed: \(reason.printable)"
    }
    write("\(news.time.clockText)  taxi \(news.taxi + 1)  order \(news.order)  \(event)\n")
  }

  func show(_ picture: FleetPicture) {}
}
