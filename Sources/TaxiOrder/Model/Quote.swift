/// The price quoted before the order is placed.
enum Quote: Hashable, Sendable, CustomStringConvertible {
  /// A fixed fare, if the destination is known.
  case fare(Cents)
  /// By the meter, if the destination is unknown.
  case metered

  var description: String {
    switch self {
    case .fare(let fare): "\(fare)"
    case .metered: "metered"
    }
  }
}
