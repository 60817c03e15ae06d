// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists

final class PacedInteractor: Interactor {
  private(set) var shown: [(value: Int, time: ContinuousClock.Instant)] = []
  private(set) var presented = 0

  private var screen: PacedPresenter<Int> {
    scoped { PacedPresenter(of: self) { self.shown.append(($0, .now)) } }
  }

  /// Presents all due values, one per 100 µs on average.
  func present(since start: ContinuousClock.Instant) {
    let due = Int((ContinuousClock.now - start) / .microseconds(100))
    while presented < due {
      presented += 1
      screen.present(presented)
    }
  }
}

/// How often a paced presenter shows 10,000 updates per second, and whether it shows the last one.
func pacingCase() async throws -> [Measurement] {
  let host = await TreeHost { Router(interactor: PacedInteractor()) }
  let clock = ContinuousClock()
  let start = clock.now
  while clock.now - start < .seconds(3) {
    try await host.perform { $0.interactor.present(since: start) }
    try await clock.sleep(for: .milliseconds(1), tolerance: .zero)
  }
  try await clock.sleep(for: .milliseconds(100))
  let (presented, shown) = try await host.perform { ($0.interactor.presented, $0.interactor.shown) }
  let times = shown.map(\.time)
  let most = times.indices.map { first in times[first...].prefix { $0 < times[first] + .seconds(1) }.count }.max() ?? 0
  await host.shutdown()
  guard shown.last?.value == presented else { throw NotTheLast(presented: presented, shown: shown.last?.value) }
  return [
    Measurement(
      "shown in a second by a paced presenter, of what is presented", Double(most), over: Double(presented) / 3,
      unit: "/s", .valueAtMost(60))
  ]
}

private struct NotTheLast: Error {
  let presented: Int
  let shown: Int?
}
