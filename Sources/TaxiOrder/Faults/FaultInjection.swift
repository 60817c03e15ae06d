/// Decides which orders of a run have a fault, and which one.
package struct FaultInjection: Hashable, Sendable {
  static let none = FaultInjection(rate: 0)

  /// The probability that an order has a fault.
  var rate: Double
  /// The kind of fault; nil to choose any with equal probability.
  var kind: FaultKind?

  package init(rate: Double, kind: FaultKind? = nil) {
    self.rate = rate
    self.kind = kind
  }

  /// The fault of an order. Depends only on the seed and the trip.
  package func fault(of trip: Trip, seed: UInt64) -> Fault? {
    guard rate > 0 else { return nil }
    // Separate random numbers, so that an order without a fault is the same as in a run without faults.
    var random = SeededGenerator(seed: ~seed, order: trip.number)
    guard random.fraction() < rate else { return nil }
    let kind = kind ?? FaultKind.allCases[random.below(FaultKind.allCases.count)]
    return Fault(kind, paysByCard: trip.rider.payment != .cash, random: &random)
  }
}
