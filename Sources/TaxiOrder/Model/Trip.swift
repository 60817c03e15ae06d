// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A completed ride: a row of a trip file, or a generated one.
package struct Trip: Hashable, Sendable {
  /// The number of the order in the run, from 1.
  package let number: Int
  package let rider: Rider
  let duration: Duration
  let distance: Distance
  package let bill: Bill

  package init(number: Int, rider: Rider, duration: Duration, distance: Distance, bill: Bill) {
    self.number = number
    self.rider = rider
    self.duration = duration
    self.distance = distance
    self.bill = bill
  }
}

extension Trip {
  fileprivate static let zones = [
    "Harbour Gate", "Elm Court", "North Market", "Observatory Hill", "Mill Pond", "Old Arsenal", "Lantern Square",
    "Weavers' Yard",
  ]

  /// Generates a ride, deterministic for a seed.
  ///
  /// - Parameters:
  ///   - number: the number of the order in the run, from 1.
  ///   - from: the pickup zone; empty for the rider's position, nil to choose by the seed.
  ///   - to: the destination zone; empty for none, nil to choose by the seed.
  ///   - seed: the seed of everything else.
  package static func generated(number: Int = 1, from: String? = nil, to: String? = nil, seed: UInt64) -> Trip {
    // Numbers down from zero: the simulation of the order uses those from one.
    var random = SeededGenerator(seed: seed, order: 1 - number)
    let start = random.below(zones.count)
    // Differs from the start.
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

extension Place {
  /// The names of the zones of the simulated city.
  public static let zones = Trip.zones
}

extension String {
  /// The string, or nil if it is empty.
  package var nonEmpty: String? { isEmpty ? nil : self }
}

/// A ride that has ended.
public struct Ride: Hashable, Codable, Sendable {
  private let milliseconds: Int
  /// How far it went.
  public let distance: Distance
  /// What it costs.
  public let bill: Bill

  /// Creates a ride.
  public init(duration: Duration, distance: Distance, bill: Bill) {
    milliseconds = duration.milliseconds
    self.distance = distance
    self.bill = bill
  }

  /// How long it took.
  public var duration: Duration { .milliseconds(milliseconds) }
}
