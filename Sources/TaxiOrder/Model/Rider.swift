/// What the rider wants: stands in for somebody tapping on a screen.
struct Rider: Hashable, Sendable {
  /// Where to be picked up; nil to be found where the rider is.
  let pickupZone: String?
  /// Where to go; nil to tell the driver on the way.
  let dropoffZone: String?
  let payment: Payment
  var patience = Patience()
}
