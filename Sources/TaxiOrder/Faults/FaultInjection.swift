/// Which orders of a run go wrong, and how.
struct FaultInjection: Hashable, Sendable {
  static let none = FaultInjection(rate: 0)

  /// The probability that something goes wrong with an order.
  var rate: Double
  /// What goes wrong; nil for anything, all kinds being as likely.
  var kind: FaultKind?

  /// The fault of an order: the same for the same seed, whatever else runs.
  func fault(of trip: Trip, seed: UInt64) -> Fault? {
    guard rate > 0 else { return nil }
    // Numbers of its own, so that an order that nothing goes wrong with takes the same course as without faults.
    var random = SeededGenerator(seed: ~seed, order: trip.number)
    guard random.fraction() < rate else { return nil }
    let kind = kind ?? FaultKind.allCases[random.below(FaultKind.allCases.count)]
    return Fault(kind, paysByCard: trip.rider.payment != .cash, random: &random)
  }
}
