/// How a ride is paid for.
enum Payment: Hashable, Sendable, CustomStringConvertible {
  case card
  /// Handed to the driver: counted, but never requested from the payment service.
  case cash

  var description: String {
    switch self {
    case .card: "credit card"
    case .cash: "cash"
    }
  }
}
