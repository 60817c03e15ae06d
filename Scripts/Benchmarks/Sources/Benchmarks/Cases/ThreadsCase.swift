import RIBs
import Workloads

/// Calls and messages per second to ten thousand trees in turn, by how the trees run and what the callers prefer,
/// compared with the global executor.
func threadsCase() async throws -> [Measurement] {
  var rows: [Measurement] = []
  let cores = TreeExecutor.Pool()
  for message in [false, true] {
    let kind = message ? "messages" : "calls"
    var comparisons: [(name: String, rates: Comparison)] = []
    let usual = await CalledHosts(.global, areFollowed: false)
    for (name, threads, areFollowed) in [
      ("a thread per core", TreeConfiguration.Threads.perCore(cores), false),
      ("a thread per core, from tasks that prefer it", .perCore(cores), true),
    ] {
      let hosts = await CalledHosts(threads, areFollowed: areFollowed)
      comparisons.append(
        (
          name,
          try await Comparison(runs: 30, operations: CalledHosts.count) {
            try await usual.call(startingTasks: message)
          } _: {
            try await hosts.call(startingTasks: message)
          }
        ))
      await hosts.shutdown()
    }
    await usual.shutdown()
    rows += comparisons.map { name, rates in
      Measurement("\(kind) to 10000 hosts with \(name)", 1e9 / rates.value, over: 1e9 / rates.baseline, unit: "/s")
    }
  }
  return rows
}

/// Hosts in groups, one task for each.
private struct CalledHosts {
  static let count = 10_000
  private static let callers = 8

  /// The hosts of each caller, all with one executor if the callers prefer that.
  private var groups: [[TreeHost<Router<WorkInteractor>>]] = Array(repeating: [], count: callers)
  private let areFollowed: Bool

  /// - Parameter areFollowed: whether the callers prefer the executor of their hosts.
  init(_ threads: TreeConfiguration.Threads, areFollowed: Bool) async {
    self.areFollowed = areFollowed
    var executors: [ObjectIdentifier] = []
    for number in 0..<Self.count {
      let configuration = TreeConfiguration(threads: threads, leakDetection: .off)
      let host = await TreeHost(configuration: configuration) { Router(interactor: WorkInteractor()) }
      var group = number / (Self.count / Self.callers)
      if let executor = host.executor as? TreeExecutor {
        let id = ObjectIdentifier(executor)
        if !executors.contains(id) { executors.append(id) }
        let index = executors.firstIndex(of: id) ?? 0
        group = (index + executors.count * (number / executors.count)) % Self.callers
      }
      groups[group].append(host)
    }
  }

  /// Calls each host once, and waits for what the calls start.
  func call(startingTasks: Bool) async throws {
    try await withThrowingTaskGroup { callers in
      for hosts in groups {
        callers.addTask(executorPreference: areFollowed ? hosts.first?.executor : nil) {
          for host in hosts {
            if startingTasks {
              try await host.perform { $0.interactor.start(1) }
            } else {
              keep(try await host.perform { _ in keep(1) })
            }
          }
          if startingTasks { for host in hosts { try await host.wait(for: 1) } }
        }
      }
      try await callers.waitForAll()
    }
  }

  func shutdown() async { for hosts in groups { await hosts.shutdown() } }
}
