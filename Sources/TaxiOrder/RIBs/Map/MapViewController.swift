internal import RIBs

/// A map without a screen: it says what has changed on it.
final class MapViewController: MapViewControllable {
  private let narrator: Narrator

  init(narrator: Narrator) { self.narrator = narrator }

  var pins: [MapPin] = [] {
    didSet {
      guard pins.count != oldValue.count else { return }
      switch pins.count {
      case 0: narrator.line("No taxis on the map")
      case 1: narrator.line("1 taxi on the map")
      default: narrator.line("\(pins.count) taxis on the map")
      }
    }
  }
}

/// A taxi on the map.
struct MapPin: Hashable, Sendable {
  let number: Int
  let position: Position
}
