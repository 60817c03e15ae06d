internal import Synchronization

/// Takes the outcome of an order out of its tree.
final class OrderEnd: Sendable {
  private let reported = Mutex<OrderOutcome?>(nil)
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// How the order ended; nil if it has not.
  var outcome: OrderOutcome? { reported.withLock { $0 } }

  func report(_ outcome: OrderOutcome) {
    reported.withLock { $0 = outcome }
    continuation.finish()
  }

  /// Waits until the order has ended or the calling task is cancelled.
  func wait() async { for await _ in stream {} }
}
