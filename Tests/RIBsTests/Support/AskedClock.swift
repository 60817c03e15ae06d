import Synchronization

/// Counts how often it is asked for the time.
final class AskedClock: Clock, Sendable {
  private let count = Atomic(0)

  var asked: Int { count.load(ordering: .relaxed) }

  var now: ManualClock.Instant {
    count.add(1, ordering: .relaxed)
    return ManualClock.Instant()
  }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {}
}
