// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsTesting
import Synchronization

/// Counts how often it is asked for the time, which is that of a test's clock.
final class AskedClock: Clock, Sendable {
  private let clock: TestClock
  private let onAsked: @Sendable (Int) -> Void
  private let count = Atomic(0)

  /// - Parameter onAsked: called with the count each time, after the time was read.
  init(_ clock: TestClock = TestClock(), onAsked: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.clock = clock
    self.onAsked = onAsked
  }

  var asked: Int { count.load(ordering: .relaxed) }

  var now: TestClock.Instant {
    let now = clock.now
    onAsked(count.add(1, ordering: .relaxed).newValue)
    return now
  }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
