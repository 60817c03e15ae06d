// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import Synchronization
import Workloads

/// The cost of 10,000 trees whose every RIB below the root fails each second: the processor time, and what is reported.
///
/// - In the first two storms, each RIB is restarted each time: one of each tree, and three. Beside them, tasks of as many
///   actors sleep, fail and are restarted the same way, without RIBs: what remains to the runtime is the rest.
/// - In the third one, the trees reach the limit of their restarts. Each of them ends, with one report.
/// - In the last one, nothing is restarted or handled: the default handler writes to standard error, in bounds.
///
/// Processor times are those of the failures that have happened, for one each second: on a busy machine RIBs fail late.
func stormCase() async throws -> [Measurement] {
  let often = Restarts.upTo(1_000, within: .seconds(60), after: .millisecond)
  return try await [
    Storm(failingCount: 1, restarts: often).restarting(),
    Storm(failingCount: 3, restarts: often).restarting(),
    Storm(failingCount: 3, restarts: .upTo(3, within: .seconds(60), after: .millisecond)).ending(),
    Storm(failingCount: 3, restarts: .never).logging(),
  ].flatMap(\.self)
}

extension Backoff {
  fileprivate static var millisecond: Backoff { .exponential(from: .milliseconds(1), to: .milliseconds(1)) }
}

private struct Storm {
  static let treeCount = 10_000
  let failingCount: Int
  let restarts: Restarts

  private func hosts(_ onFailure: (@Sendable (TreeFailure) -> Void)?) async -> [TreeHost<StormRouter>] {
    var hosts: [TreeHost<StormRouter>] = []
    for _ in 0..<Storm.treeCount {
      hosts.append(
        await TreeHost(configuration: TreeConfiguration(leakDetection: .off, onFailure: onFailure)) {
          [self] in StormRouter(self)
        })
    }
    return hosts
  }

  /// The cores that this process uses during a storm in which each RIB fails once a second.
  private func cores(for time: Duration) async throws -> Double {
    let (failures, used) = (Outage.count.load(ordering: .relaxed), processorTime())
    try await ContinuousClock().sleep(for: time)
    let processorTime = processorTime() - used
    let count = Outage.count.load(ordering: .relaxed) - failures
    return processorTime / .seconds(1) / Double(count) * Double(Storm.treeCount * failingCount)
  }

  func restarting() async throws -> [Measurement] {
    let actors = (0..<Storm.treeCount).map { _ in BareTree() }
    for actor in actors { await actor.start(failingCount) }
    let bare = try await cores(for: .seconds(5))
    for actor in actors { await actor.stop() }
    let hosts = await hosts { _ in }
    let cores = try await cores(for: .seconds(5))
    await endAll(hosts)
    let name = "cores used by 10000 trees of which \(failingCount == 1 ? "a RIB fails" : "3 RIBs fail") every second"
    let target: Target? = failingCount == 1 ? .valueAtMost(0.5) : nil
    return [Measurement("\(name), beside bare tasks", cores, over: bare, unit: "", target)]
  }

  func ending() async throws -> [Measurement] {
    let reports = Atomic(0)
    let hosts = await hosts { _ in reports.wrappingAdd(1, ordering: .relaxed) }
    for host in hosts {
      guard case .failed = await host.ended else { fatalError("A tree has ended for another reason.") }
    }
    let count = reports.load(ordering: .relaxed)
    await endAll(hosts)
    return [
      Measurement(
        "reports of 10000 trees that reach the limit of their restarts", Double(count), over: Double(Storm.treeCount),
        unit: "", .valueAtMost(Double(Storm.treeCount)))
    ]
  }

  func logging() async throws -> [Measurement] {
    let log = FileManager.default.temporaryDirectory.appending(path: "storm-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    try Data().write(to: log)
    let file = try FileHandle(forWritingTo: log)
    let standardError = dup(STDERR_FILENO)
    dup2(file.fileDescriptor, STDERR_FILENO)
    let hosts = await hosts(nil)
    let cores = try await cores(for: .seconds(10))
    await endAll(hosts)
    dup2(standardError, STDERR_FILENO)
    close(standardError)
    let lines = try Data(contentsOf: log).count { $0 == UInt8(ascii: "\n") }
    return [
      Measurement(
        "cores used by 10000 trees of which work of 3 RIBs fails every second, and their log", cores, over: 1,
        unit: ""),
      // In each of two periods at most ten failures, the note that more follow, and their number.
      Measurement(
        "lines in that log for each tree, in ten seconds", Double(lines) / Double(Storm.treeCount),
        over: 10 * Double(failingCount), unit: "", .valueAtMost(24)),
    ]
  }
}

/// The time that all threads of this process have run.
private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// A root with children that fail.
private final class StormRouter: Router<Interactor> {
  private var slots: [ChildSlot<Int>] = []

  init(_ storm: Storm) {
    let restarts = storm.restarts
    super.init(interactor: Interactor())
    slots = (0..<storm.failingCount).map { _ in
      ChildSlot(of: self, restarts: restarts) { _, _ in Router(interactor: StormInteractor(repeats: restarts == .never))
      }
    }
  }

  override func didLoad() {
    super.didLoad()
    for slot in slots { slot.route = 1 }
  }
}

private struct Outage: Error {
  /// The number of failures.
  static let count = Atomic(0)

  init() { Outage.count.wrappingAdd(1, ordering: .relaxed) }
}

/// Restarts tasks that fail, after a pause, as a tree restarts its RIBs.
private actor BareTree {
  private var tasks: [Task<Void, Never>] = []

  func start(_ count: Int) {
    tasks = (0..<count).map { _ in
      Task {
        while !Task.isCancelled {
          let work = Task {
            try await Task.sleep(for: .seconds(1))
            throw Outage()
          }
          _ = await withTaskCancellationHandler {
            await work.result
          } onCancel: {
            work.cancel()
          }
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
    }
  }

  func stop() async {
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

/// Has work that fails, every second.
private final class StormInteractor: Interactor {
  /// Whether it fails again without having been restarted.
  private let repeats: Bool

  init(repeats: Bool) { self.repeats = repeats }

  override func didBecomeActive() {
    super.didBecomeActive()
    failLater()
  }

  private func failLater() {
    task {
      try await Task.sleep(for: .seconds(1))
      if self.repeats { self.failLater() }
      throw Outage()
    }
  }
}
