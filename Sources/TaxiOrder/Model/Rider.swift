/// The rider's choices, which replace input from a screen.
package struct Rider: Hashable, Sendable {
  /// The pickup zone; nil for the rider's position.
  var pickupZone: String?
  /// The destination zone; nil for none.
  var dropoffZone: String?
  let payment: Payment
  /// Whether the rider orders in the app rather than by a link.
  var ordersByHand = true
  var patience = Patience()

  init(pickupZone: String?, dropoffZone: String?, payment: Payment) {
    self.pickupZone = pickupZone
    self.dropoffZone = dropoffZone
    self.payment = payment
  }

  /// The same rider with the pickup and destination of a link.
  func following(_ link: OrderLink) -> Rider {
    var rider = self
    (rider.pickupZone, rider.dropoffZone) = (link.from, link.to)
    return rider
  }
}
