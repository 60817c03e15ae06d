/// What the rider wants: stands in for somebody tapping on a screen.
struct Rider: Hashable, Sendable {
  /// Where to be picked up; nil to be found where the rider is.
  var pickupZone: String?
  /// Where to go; nil to tell the driver on the way.
  var dropoffZone: String?
  let payment: Payment
  /// Whether the rider orders in the app, and not by a link.
  var ordersByHand = true
  var patience = Patience()

  init(pickupZone: String?, dropoffZone: String?, payment: Payment) {
    self.pickupZone = pickupZone
    self.dropoffZone = dropoffZone
    self.payment = payment
  }

  /// The same rider, going where a link says.
  func following(_ link: OrderLink) -> Rider {
    var rider = self
    (rider.pickupZone, rider.dropoffZone) = (link.from, link.to)
    return rider
  }
}
