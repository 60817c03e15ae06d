// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A child that takes 50 µs to build.
final class HeavyRouter: Router<Interactor> {
  init() {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .microseconds(50) {}
    super.init(interactor: Interactor())
  }
}

final class HeavyRoot: Router<Interactor> {
  private(set) var isDone = false

  init() { super.init(interactor: Interactor()) }

  func done() { isDone = true }
}

/// The delay of a heartbeat that enters a tree every millisecond while 2,000 children of 50 µs are built and
/// attached: at once, in slices, and prepared off the tree.
func heartbeatCase() async throws -> [Measurement] {
  let count = 2_000
  let idle = try await latest { root in
    root.interactor.run({ try await Task.sleep(for: .milliseconds(200)) }) { root.done() }
  }
  let inline = try await latest { root in
    for _ in 0..<count { root.attachChild(HeavyRouter()) }
    root.done()
  }
  let slices = try await latest { root in
    root.attachChildren(for: 0..<count, build: { _ in HeavyRouter() }, finished: { root.done() })
  }
  let prepared = try await latest { root in
    root.attach(preparing: {
      let top = Router(interactor: Interactor())
      for _ in 0..<count { top.attachChild(HeavyRouter()) }
      return top
    }) { _ in root.done() }
  }
  return [
    Measurement("latest heartbeat, 2000 heavy children attached at once", inline, over: idle, unit: "ms"),
    Measurement(
      "latest heartbeat, attached in slices of 8 ms", slices, over: idle, unit: "ms",
      .valueAtMost(idle + 16.7)),
    Measurement(
      "latest heartbeat, prepared off the tree", prepared, over: idle, unit: "ms", .valueAtMost(idle + 16.7)),
  ]
}

/// The maximum delay in milliseconds; the smallest of several runs, which other programs disturbed least.
private func latest(_ work: @escaping @Sendable (HeavyRoot) -> Void) async throws -> Double {
  var least = Duration.seconds(3600)
  for _ in 0..<5 { least = min(least, try await lateness(work)) }
  return least.nanoseconds / 1e6
}

/// The maximum delay of a beat, from the start of some work in a tree until its end.
private func lateness(_ work: @escaping @Sendable (HeavyRoot) -> Void) async throws -> Duration {
  let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { HeavyRoot() }
  let clock = ContinuousClock()
  var beats = 0
  var latest = Duration.zero
  var isDone = false
  while !isDone {
    let due = clock.now + .milliseconds(1)
    try await clock.sleep(until: due, tolerance: .zero)
    isDone = try await host.perform { $0.isDone }
    beats += 1
    latest = max(latest, clock.now - due)
    // The work runs as a separate job on the tree's actor: it begins after this call has returned.
    if beats == 10 { try await host.perform { root in _ = root.interactor.task { work(root) } } }
  }
  await host.shutdown()
  return latest
}
