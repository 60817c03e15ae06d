/// Receives the outcome of an order from its tree, and stops the order's clock.
final class OrderEnd: Sendable {
  private let clock: VirtualClock
  private let reported = Guarded<OrderOutcome?>(nil)

  init(clock: VirtualClock) { self.clock = clock }

  /// The outcome; nil if the order has not ended.
  var outcome: OrderOutcome? { reported.withLock { $0 } }

  func report(_ outcome: OrderOutcome) {
    reported.withLock { $0 = outcome }
    clock.stop()
  }
}
