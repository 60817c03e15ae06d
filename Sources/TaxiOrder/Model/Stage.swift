/// A stage of the whole flow, at which the tree can be looked at.
enum Stage: String, CaseIterable, Hashable, Sendable {
  case loggedOut = "logged-out"
  case selecting
  case dispatching
  case underWay = "under-way"
  case settling
  case receipt
  case rating
  case history

  /// As a heading has it.
  var title: String { rawValue.split(separator: "-").joined(separator: " ") }

  /// What is attached then.
  var summary: String {
    switch self {
    case .loggedOut: "nobody is logged in"
    case .selecting: "the rider makes choices, with the taxis nearby on the map"
    case .dispatching: "a taxi is looked for"
    case .underWay: "the taxi comes, and takes the rider along"
    case .settling: "the ride is paid for"
    case .receipt: "the rider reads the receipt"
    case .rating: "the rider rates the ride"
    case .history: "the rider looks back"
    }
  }
}
