/// When a rider has had enough, and cancels.
struct Patience: Hashable, Sendable {
  /// How long the rider bears a search for a taxi; nil for as long as it takes.
  var search: Duration?
  /// When the rider cancels the taxi that has taken the order, counted from then; nil for never.
  var taxi: Duration?
}
