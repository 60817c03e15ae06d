/// How an order of a replay went.
struct OrderReport: Hashable, Sendable {
  /// Nil if the order was cancelled.
  let outcome: OrderOutcome?
  let requests: Int
  let requestsFromInactive: Int
  /// How many of its RIBs were alive when its tree had been shut down.
  let leaked: Int
}
