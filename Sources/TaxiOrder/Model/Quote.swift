/// What the rider is told before the order what the ride will cost.
enum Quote: Hashable, Sendable, CustomStringConvertible {
  /// The fare, when it is known where the ride goes.
  case fare(Cents)
  /// The meter will tell, because nobody knows where the ride goes.
  case metered

  var description: String {
    switch self {
    case .fare(let fare): "\(fare)"
    case .metered: "metered"
    }
  }
}
