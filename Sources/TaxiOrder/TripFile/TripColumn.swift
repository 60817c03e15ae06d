/// The columns of a trip file that mean something to an order.
enum TripColumn: String, CaseIterable, Sendable {
  case pickup, dropoff, distance, fare, tip, tolls, total, payment
  case pickupZone = "pickup_zone"
  case dropoffZone = "dropoff_zone"

  /// Whether a file without the column is no trip file. The values of these columns may not be empty either.
  var isRequired: Bool {
    switch self {
    case .pickup, .dropoff, .distance, .fare, .tip, .tolls, .total: true
    case .payment, .pickupZone, .dropoffZone: false
    }
  }
}
