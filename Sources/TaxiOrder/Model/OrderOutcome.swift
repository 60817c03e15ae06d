/// How an order ended.
package enum OrderOutcome: Hashable, Sendable {
  case completed(charged: Cents)
  /// Cancelled by the rider, or by an interruption of the program.
  case cancelled
  /// A request that the order needs failed, with the reason.
  case failed(String)

  /// The outcome in one word.
  package var name: String {
    switch self {
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}
