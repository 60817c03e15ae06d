/// The answer to a poll.
struct TaxiStatus: Hashable, Sendable {
  let state: TaxiState
  /// When to ask again; nil once the ride has ended.
  let nextPoll: Duration?
}
