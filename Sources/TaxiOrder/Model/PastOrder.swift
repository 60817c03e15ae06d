/// An order that has ended, as the rider looks back on it.
struct PastOrder: Hashable, Sendable, CustomStringConvertible {
  let pickup: Place
  let destination: Place?
  let outcome: OrderOutcome
  /// Nil if the rider had nothing to rate.
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
