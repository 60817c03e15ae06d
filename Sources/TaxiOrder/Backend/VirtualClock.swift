internal import Synchronization

/// A clock that stands still until somebody sleeps on it, which takes no time at all.
///
/// An order has one of its own. Whoever sleeps is the only one who moves time, so an order of hours is over at once, and
/// takes the same course each time.
final class VirtualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let milliseconds = Atomic(0)

  var now: Instant { Instant(offset: .milliseconds(milliseconds.load(ordering: .acquiring))) }

  var minimumResolution: Duration { .milliseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    milliseconds.max(deadline.offset.milliseconds, ordering: .acquiringAndReleasing)
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
