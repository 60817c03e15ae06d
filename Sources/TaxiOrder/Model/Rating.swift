/// The rider's rating of a ride.
struct Rating: Hashable, Sendable, CustomStringConvertible {
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
