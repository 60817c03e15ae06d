/// An order while the rider puts it together.
struct OrderDraft: Hashable, Sendable {
  var pickup = Place.riderPosition
  /// Nil while there is none, and when the rider skips it.
  var destination: Place?
  var quote: Quote?
  var payment = Payment.cash
}
