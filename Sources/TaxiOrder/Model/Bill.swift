/// The price of a ride, itemized.
struct Bill: Hashable, Sendable {
  let fare: Cents
  let tip: Cents
  let tolls: Cents
  /// Charges other than fare, tip and tolls.
  let surcharge: Cents
  /// The total charge.
  let total: Cents

  /// Computes the surcharge; nil if the items exceed the total.
  init?(fare: Cents, tip: Cents, tolls: Cents, total: Cents) {
    let parts = Int128(fare.count) + Int128(tip.count) + Int128(tolls.count)
    guard parts <= Int128(total.count) else { return nil }
    self.init(fare: fare, tip: tip, tolls: tolls, surcharge: Cents(Int(Int128(total.count) - parts)))
  }

  /// Computes the total.
  init(fare: Cents, tip: Cents, tolls: Cents, surcharge: Cents) {
    self.fare = fare
    self.tip = tip
    self.tolls = tolls
    self.surcharge = surcharge
    total = Cents(fare.count + tip.count + tolls.count + surcharge.count)
  }
}
