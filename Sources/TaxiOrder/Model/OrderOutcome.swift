/// How an order ended.
enum OrderOutcome: Hashable, Sendable {
  case completed(charged: Cents)
  /// The rider took it back, or the program was interrupted.
  case cancelled
  /// Something that the order needs failed, for the reason given.
  case failed(String)
}
