/// A kind of fault.
package enum FaultKind: String, CaseIterable, Hashable, Sendable {
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
  package var summary: String {
    switch self {
    case .noTaxi: "no taxi is free for any request: failed"
    case .requestFails: "a request fails, and its retry succeeds: completed"
    case .requestKeepsFailing: "a request and all its retries fail: failed"
    case .requestHangs: "a request is not answered in time: failed"
    case .riderCancelsSearch: "the rider cancels during the search for a taxi: cancelled"
    case .riderCancelsTaxi: "the rider cancels while the taxi is on its way: cancelled"
    case .riderCancelsRide: "the rider tries to cancel during the ride: completed"
    case .driverCancels: "the driver cancels, and another taxi comes: completed"
    case .driverCancelsTwice: "the driver cancels, and so does the next one: failed"
    case .cardDeclined: "a card is declined, and another one is not: completed"
    case .everyCardDeclined: "all cards are declined: failed"
    }
  }

  /// Whether the fault has no effect for a rider who pays cash.
  var concernsCards: Bool { self == .cardDeclined || self == .everyCardDeclined }
}
