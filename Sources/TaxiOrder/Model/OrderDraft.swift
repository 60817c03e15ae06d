/// The choices of an order before it is placed.
struct OrderDraft: Hashable, Sendable {
  var pickup = Place.riderPosition
  /// Nil until it is chosen, and if the rider skips it.
  var destination: Place?
  var quote: Quote?
  var payment = Payment.cash
}
