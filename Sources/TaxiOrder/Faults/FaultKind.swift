/// What can go wrong with an order.
enum FaultKind: String, CaseIterable, Hashable, Sendable {
  case noTaxi = "no-taxi"
  case requestFails = "request-fails"
  case requestKeepsFailing = "request-keeps-failing"
  case requestHangs = "request-hangs"
  case riderCancelsSearch = "rider-cancels-search"
  case riderCancelsTaxi = "rider-cancels-taxi"
  case riderCancelsRide = "rider-cancels-ride"
  case driverCancels = "driver-cancels"
  case driverCancelsTwice = "driver-cancels-twice"
  case cardDeclined = "card-declined"
  case everyCardDeclined = "every-card-declined"

  /// What happens, and how the order ends.
  var summary: String {
    switch self {
    case .noTaxi: "no taxi is free, however often one is asked for: failed"
    case .requestFails: "a request fails, and the next attempt succeeds: completed"
    case .requestKeepsFailing: "a request fails, and so does each further attempt: failed"
    case .requestHangs: "a request is not answered in time: failed"
    case .riderCancelsSearch: "the rider cancels while no taxi is found: cancelled"
    case .riderCancelsTaxi: "the rider cancels while the taxi is on its way: cancelled"
    case .riderCancelsRide: "the rider wants to cancel during the ride, which is refused: completed"
    case .driverCancels: "the driver cancels, and another taxi comes: completed"
    case .driverCancelsTwice: "the driver cancels, and so does the next one: failed"
    case .cardDeclined: "a card is declined, and another one is not: completed"
    case .everyCardDeclined: "all cards are declined: failed"
    }
  }

  /// Whether a rider who pays in cash never notices.
  var concernsCards: Bool { self == .cardDeclined || self == .everyCardDeclined }
}
