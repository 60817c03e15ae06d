/// The result of an order in a run.
struct OrderReport: Hashable, Sendable {
  let outcome: OrderOutcome
  let requests: Int
  let requestsFromInactive: Int
  /// The number of RIBs that were alive after the tree had been shut down.
  let leaked: Int
}
