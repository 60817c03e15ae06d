/// A taxi that has taken an order.
struct Assignment: Hashable, Sendable {
  let driver: Driver
  /// Where it comes from.
  let position: Position
  /// How long until it arrives.
  let eta: Duration
  /// When to ask how far it is.
  let nextPoll: Duration
}
