/// A stage of the flow, at which the tree can be shown.
package enum Stage: String, CaseIterable, Hashable, Sendable {
  case loggedOut = "logged-out"
  case selecting
  case dispatching
  case underWay = "under-way"
  case settling
  case receipt
  case rating
  case history

  /// The name as a heading.
  package var title: String { rawValue.split(separator: "-").joined(separator: " ") }

  /// What happens at this stage.
  package var summary: String {
    switch self {
    case .loggedOut: "the rider is not logged in"
    case .selecting: "the rider chooses, with the taxis nearby on the map"
    case .dispatching: "the app searches for a taxi"
    case .underWay: "the taxi picks the rider up and drives to the destination"
    case .settling: "the ride is paid for"
    case .receipt: "the rider reads the receipt"
    case .rating: "the rider rates the ride"
    case .history: "the rider sees past orders"
    }
  }
}
