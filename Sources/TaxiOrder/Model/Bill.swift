/// What a ride costs, by its parts.
struct Bill: Hashable, Sendable {
  let fare: Cents
  let tip: Cents
  let tolls: Cents
  /// What is charged beside the other parts.
  let surcharge: Cents
  /// What is charged in all.
  let total: Cents

  /// Works out the surcharge; nil if the parts are more than the total.
  init?(fare: Cents, tip: Cents, tolls: Cents, total: Cents) {
    let parts = Int128(fare.count) + Int128(tip.count) + Int128(tolls.count)
    guard parts <= Int128(total.count) else { return nil }
    self.init(fare: fare, tip: tip, tolls: tolls, surcharge: Cents(Int(Int128(total.count) - parts)))
  }

  /// Adds up the parts.
  init(fare: Cents, tip: Cents, tolls: Cents, surcharge: Cents) {
    self.fare = fare
    self.tip = tip
    self.tolls = tolls
    self.surcharge = surcharge
    total = Cents(fare.count + tip.count + tolls.count + surcharge.count)
  }
}
