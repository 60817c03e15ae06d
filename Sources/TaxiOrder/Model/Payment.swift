/// How a ride is paid for.
enum Payment: Hashable, Sendable, CustomStringConvertible {
  case card
  /// What the rider falls back on when the first card is declined.
  case otherCard
  /// Handed to the driver: counted, but never requested from the payment service.
  case cash

  /// What a rider can pay with who prefers this, the preferred one first.
  var alternatives: [Payment] { self == .cash ? [.cash] : [.card, .otherCard] }

  var description: String {
    switch self {
    case .card: "credit card"
    case .otherCard: "another credit card"
    case .cash: "cash"
    }
  }
}
