/// The answer to a status poll.
enum TaxiStatus: Hashable, Sendable {
  /// - nextPoll: when to poll again; nil once the ride has ended.
  case taxi(TaxiState, nextPoll: Duration?)
  /// The driver has cancelled.
  case driverCancelled
}
