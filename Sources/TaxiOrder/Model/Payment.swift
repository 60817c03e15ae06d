/// A means of payment.
enum Payment: Hashable, Sendable, CustomStringConvertible {
  case card
  /// The card that is tried after the first one was declined.
  case otherCard
  /// Paid to the driver; no request to the payment service.
  case cash

  /// The means of payment of a rider with this preference, in order.
  var alternatives: [Payment] { self == .cash ? [.cash] : [.card, .otherCard] }

  var description: String {
    switch self {
    case .card: "credit card"
    case .otherCard: "another credit card"
    case .cash: "cash"
    }
  }
}
