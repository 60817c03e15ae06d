import Foundation
import RIBs
import Synchronization

/// The processor time of 10,000 trees in each of which a RIB fails every second, and is restarted each time; and the
/// number of lines for a log, which is that of the trees that have reached their limit.
func stormCase() async throws -> [Measurement] {
  let count = 10_000
  let reports = Atomic(0)
  var hosts: [TreeHost<StormRouter>] = []
  for _ in 0..<count {
    hosts.append(
      await TreeHost(
        configuration: TreeConfiguration(
          leakDetection: .off, onFailure: { _ in reports.wrappingAdd(1, ordering: .relaxed) })
      ) { StormRouter() })
  }
  let clock = ContinuousClock()
  let (start, usage) = (clock.now, processorTime())
  try await clock.sleep(for: .seconds(10))
  let share = (processorTime() - usage) / (clock.now - start)
  await hosts.shutdown()
  return [
    Measurement("cores used by 10000 trees whose RIB fails every second", share, over: 1, unit: "", .valueAtMost(0.5)),
    Measurement(
      "failures reported by them in ten seconds", Double(reports.load(ordering: .relaxed)), over: Double(count),
      unit: "",
      .valueAtMost(Double(count))),
  ]
}

/// The time that all threads of this process have run.
private func processorTime() -> Duration {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  func duration(_ time: timeval) -> Duration { .seconds(time.tv_sec) + .microseconds(time.tv_usec) }
  return duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// A root whose child is restarted.
private final class StormRouter: Router<Interactor> {
  private lazy var slot = ChildSlot<Int>(
    of: self,
    restarts: .upTo(100, within: .seconds(60), after: .exponential(from: .milliseconds(1), to: .milliseconds(1)))
  ) { _, _ in Router(interactor: FailingInteractor()) }

  init() { super.init(interactor: Interactor()) }

  override func didLoad() {
    super.didLoad()
    slot.route = 1
  }
}

/// Fails after a second.
private final class FailingInteractor: Interactor {
  private struct Outage: Error {}

  override func didBecomeActive() {
    super.didBecomeActive()
    task {
      try await Task.sleep(for: .seconds(1))
      throw Outage()
    }
  }
}
