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

/// How late a heartbeat comes that crosses a tree every millisecond while 2,000 children of 50 µs are built and attached:
/// at once, in slices, and prepared off the tree.
func heartbeatCase() async throws -> [Measurement] {
  let count = 2_000
  let idle = try await lateness { root in
    root.interactor.run({ try await Task.sleep(for: .milliseconds(200)) }) { root.done() }
  }
  let inline = try await lateness { root in
    for _ in 0..<count { root.attachChild(HeavyRouter()) }
    root.done()
  }
  let slices = try await lateness { root in
    root.attachChildren(for: 0..<count, build: { _ in HeavyRouter() }, finished: { root.done() })
  }
  let prepared = try await lateness { root in
    root.attach(preparing: {
      let top = Router(interactor: Interactor())
      for _ in 0..<count { top.attachChild(HeavyRouter()) }
      return top
    }) { _ in root.done() }
  }
  let noise = worst(idle)
  return [
    Measurement("latest heartbeat, 2000 heavy children attached at once", worst(inline), over: noise, unit: "ms"),
    Measurement(
      "latest heartbeat, attached in slices of 8 ms", worst(slices), over: noise, unit: "ms",
      .valueAtMost(noise + 16.7)),
    Measurement(
      "latest heartbeat, prepared off the tree", worst(prepared), over: noise, unit: "ms", .valueAtMost(noise + 16.7)),
  ]
}

private func worst(_ beats: [Duration]) -> Double { (beats.max() ?? .zero).nanoseconds / 1e6 }

/// How late each beat was, from before some work in a tree begins until it is done.
private func lateness(_ work: @escaping @Sendable (HeavyRoot) -> Void) async throws -> [Duration] {
  let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { HeavyRoot() }
  let clock = ContinuousClock()
  var beats: [Duration] = []
  var isDone = false
  while !isDone {
    let due = clock.now + .milliseconds(1)
    try await clock.sleep(until: due, tolerance: .zero)
    isDone = try await host.perform { $0.isDone }
    beats.append(clock.now - due)
    // The work is a turn of the tree: it begins after this call has returned.
    if beats.count == 10 { try await host.perform { root in _ = root.interactor.task { work(root) } } }
  }
  await host.shutdown()
  return beats
}
