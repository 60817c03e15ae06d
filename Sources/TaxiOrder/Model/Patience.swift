/// How long a rider waits before cancelling.
struct Patience: Hashable, Sendable {
  /// The maximum duration of a search for a taxi; nil for no limit.
  var search: Duration?
  /// When the rider cancels an accepted order, relative to its acceptance; nil for never.
  var taxi: Duration?
}
