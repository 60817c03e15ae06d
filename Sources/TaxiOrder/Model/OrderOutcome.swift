/// How an order ended by itself. One that was cancelled has none.
enum OrderOutcome: Hashable, Sendable {
  case completed(charged: Cents)
  /// Something the order needs failed, for the reason given.
  case failed(String)
}
