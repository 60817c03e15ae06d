/// How an order of a run went.
struct OrderReport: Hashable, Sendable {
  let outcome: OrderOutcome
  let requests: Int
  let requestsFromInactive: Int
  /// How many of its RIBs were alive when its tree had been shut down.
  let leaked: Int
}
