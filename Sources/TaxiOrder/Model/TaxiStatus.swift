/// The answer to a poll.
enum TaxiStatus: Hashable, Sendable {
  /// - nextPoll: when to ask again; nil once the ride has ended.
  case taxi(TaxiState, nextPoll: Duration?)
  /// The driver gives the order back.
  case driverCancelled
}
