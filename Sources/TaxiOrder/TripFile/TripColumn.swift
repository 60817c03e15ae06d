/// The columns of a trip file that are used.
enum TripColumn: String, CaseIterable, Sendable {
  case pickup, dropoff, distance, fare, tip, tolls, total, payment
  case pickupZone = "pickup_zone"
  case dropoffZone = "dropoff_zone"

  /// Whether the column must exist and its values must not be empty.
  var isRequired: Bool {
    switch self {
    case .pickup, .dropoff, .distance, .fare, .tip, .tolls, .total: true
    case .payment, .pickupZone, .dropoffZone: false
    }
  }
}
