// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// A map without a screen.
final class MapViewController: MapViewControllable {
  private let narrator: Narrator

  init(narrator: Narrator) { self.narrator = narrator }

  var pins: [Int: Position] = [:]

  func showCount(_ count: Int) {
    switch count {
    case 0: narrator.line("No taxis on the map")
    case 1: narrator.line("1 taxi on the map")
    default: narrator.line("\(count) taxis on the map")
    }
  }

  func showFailure(_ reason: String) { narrator.line("The map stays as it is: \(reason)") }
}
