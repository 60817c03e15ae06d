/// The choices of an order before it is placed.
struct OrderDraft: Hashable, Codable, Sendable {
  var pickup = Place.riderPosition
  /// Nil until it is chosen, and if the rider skips it.
  var destination: Place?
  var quote: Quote?
  var payment = Payment.cash
}

/// How an order ended.
package enum OrderOutcome: Hashable, Codable, Sendable {
  case completed(charged: Cents)
  /// Cancelled by the rider, or by an interruption of the program.
  case cancelled
  /// A request that the order needs failed, with the reason.
  case failed(reason: String)

  /// The outcome in one word.
  package var name: String {
    switch self {
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}

/// An ended order, as shown in the history.
struct PastOrder: Hashable, Codable, Sendable, CustomStringConvertible {
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
