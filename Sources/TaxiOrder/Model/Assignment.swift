/// A taxi that has accepted an order.
struct Assignment: Hashable, Sendable {
  let driver: Driver
  /// The taxi's current position.
  let position: Position
  /// The time until it arrives.
  let eta: Duration
  /// When to poll its status.
  let nextPoll: Duration
}
