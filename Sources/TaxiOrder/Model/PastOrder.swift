/// An ended order, as shown in the history.
struct PastOrder: Hashable, Sendable, CustomStringConvertible {
  let pickup: Place
  let destination: Place?
  let outcome: OrderOutcome
  /// Nil if there was no ride to rate.
  let rating: Rating?

  var description: String {
    let way = "\(pickup)\(destination.map { " to \($0)" } ?? "")"
    return switch outcome {
    case .completed(let charged): "\(way), \(charged)\(rating.map { ", \($0)" } ?? "")"
    case .cancelled: "\(way), cancelled"
    case .failed(let reason): "\(way), failed: \(reason)"
    }
  }
}
