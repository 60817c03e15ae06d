// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsTesting
import Synchronization

/// Counts how often it is asked for the time, which stands still.
final class AskedClock: Clock, Sendable {
  private let clock = TestClock()
  private let count = Atomic(0)

  var asked: Int { count.load(ordering: .relaxed) }

  var now: TestClock.Instant {
    count.add(1, ordering: .relaxed)
    return clock.now
  }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {}
}
