// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The rider's choices, which replace input from a screen.
package struct Rider: Hashable, Sendable {
  /// The pickup zone; nil for the rider's position.
  package var pickupZone: String?
  /// The destination zone; nil for none.
  package var dropoffZone: String?
  package var payment: Payment
  /// When the taxi is ordered for; nil for now.
  package var time: OrderTime?
  /// Whether the rider orders in the app rather than by a link.
  package var ordersInApp = true
  var cancellationTimes = CancellationTimes()

  package init(pickupZone: String?, dropoffZone: String?, payment: Payment) {
    self.pickupZone = pickupZone
    self.dropoffZone = dropoffZone
    self.payment = payment
  }

  /// The same rider with the pickup, destination and means of payment of a link.
  func ordering(by link: OrderLink) -> Rider {
    var rider = self
    (rider.pickupZone, rider.dropoffZone) = (link.from, link.to)
    rider.payment = link.payment ?? rider.payment
    return rider
  }
}

/// How long a rider waits before cancelling.
struct CancellationTimes: Hashable, Sendable {
  /// The maximum duration of a search for a taxi; nil for no limit.
  var search: Duration?
  /// When the rider cancels an accepted order, relative to its acceptance; nil for never.
  var taxi: Duration?
}

/// The rider's rating of a ride.
struct Rating: Hashable, Codable, Sendable, CustomStringConvertible {
  /// From 1 to 5.
  let stars: Int

  init(stars: Int) { self.stars = stars }

  /// The rating implied by a tip.
  init(tip: Cents, fare: Cents) {
    stars =
      switch tip.count {
      case 0: 3
      case (fare.count / 5)...: 5
      default: 4
      }
  }

  var description: String { stars == 1 ? "1 star" : "\(stars) stars" }
}
