/// How an order ended.
enum OrderOutcome: Hashable, Sendable {
  case completed(charged: Cents)
  /// Cancelled by the rider, or by an interruption of the program.
  case cancelled
  /// A request that the order needs failed, with the reason.
  case failed(String)
}
