extension Trip {
  private static let zones = [
    "Harbour Gate", "Elm Court", "North Market", "Observatory Hill", "Mill Pond", "Old Arsenal", "Lantern Square",
    "Weavers' Yard",
  ]

  /// Makes up a ride; the same for the same seed, on every machine.
  ///
  /// - Parameters:
  ///   - number: counts the orders of a run from 1.
  ///   - from: the zone to be picked up in; empty for the rider's position, nil for one that the seed picks.
  ///   - to: the zone to go to; empty for none, nil for one that the seed picks.
  ///   - seed: what everything else is picked by.
  static func invented(number: Int = 1, from: String? = nil, to: String? = nil, seed: UInt64) -> Trip {
    // Down from zero: the simulation of the order has the numbers from one for itself.
    var random = SeededGenerator(seed: seed, order: 1 - number)
    let start = random.below(zones.count)
    // Never where it started.
    let end = (start + 1 + random.below(zones.count - 1)) % zones.count
    let tenths = 8 + random.below(70)
    let minutes = 3 + tenths * (3 + random.below(4)) / 10
    let fare = 250 + 50 * (tenths * 5 / 10)
    let tip = fare * (10 + random.below(15)) / 100
    let tolls = random.below(5) == 0 ? 612 : 0
    let rider = Rider(
      pickupZone: (from ?? zones[start]).nonEmpty, dropoffZone: (to ?? zones[end]).nonEmpty,
      payment: random.below(4) == 0 ? .cash : .card)
    return Trip(
      number: number, rider: rider, duration: .seconds(60 * minutes), distance: Distance(micromiles: tenths * 100_000),
      bill: Bill(fare: Cents(fare), tip: Cents(tip), tolls: Cents(tolls), surcharge: Cents(330)))
  }
}

extension String {
  /// This text, or nil if it is empty.
  var nonEmpty: String? { isEmpty ? nil : self }
}
