/// Takes the outcome of an order out of its tree, and lets no more time pass.
final class OrderEnd: Sendable {
  private let clock: VirtualClock
  private let reported = Guarded<OrderOutcome?>(nil)

  init(clock: VirtualClock) { self.clock = clock }

  /// How the order ended; nil if it has not.
  var outcome: OrderOutcome? { reported.withLock { $0 } }

  func report(_ outcome: OrderOutcome) {
    reported.withLock { $0 = outcome }
    clock.stop()
  }
}
