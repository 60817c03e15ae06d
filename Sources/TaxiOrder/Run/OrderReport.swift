/// The result of an order in a run.
package struct OrderReport: Hashable, Sendable {
  package let outcome: OrderOutcome
  package let requests: Int
  package let requestsFromInactive: Int
  /// The number of RIBs that were alive after the tree had been shut down.
  package let leaked: Int
}
