import RIBs
import Workloads

/// Messages a second that ten thousand trees answer, on one core and on two, beside as many actors without trees: where
/// Swift's global executor runs them, and where each core has an executor of its own.
func hostsCase() async throws -> [Measurement] {
  var measurements: [Measurement] = []
  for (apart, name) in [
    (Apart.hosts, "messages to 10000 hosts"),
    (.hostsOnExecutors, "messages to 10000 hosts that share an executor for each core"),
  ] {
    let one = try await apart.measured(onCores: 1)
    let two = try await apart.measured(onCores: 2)
    measurements += [
      Measurement("\(name), on one core, beside actors", one.value, over: one.baseline, unit: "/s"),
      Measurement("\(name), on two cores, beside actors", two.value, over: two.baseline, unit: "/s"),
      Measurement("\(name), on two cores, beside one core", two.value, over: one.value, unit: "/s", .atLeast(1.9)),
    ]
  }
  return measurements
}

/// How long ten thousand hosts, and as many actors without trees, take to answer a message.
///
/// - Parameter executors: what the hosts and the actors run on, together with those who send to them; if there are none,
///   the global executor.
func answeringOfHosts(on executors: [any TaskExecutor]) async throws -> Comparison {
  let (senders, hostsOfEach, messagesToEach) = (8, 1_250, 20)
  let audiences = await withTaskGroup { group in
    for sender in 0..<senders {
      let executor = executors.isEmpty ? nil : executors[sender % executors.count]
      group.addTask(executorPreference: executor) { await Audience(of: hostsOfEach, on: executor) }
    }
    return await group.reduce(into: []) { audiences, audience in audiences.append(audience) }
  }
  let comparison = try await Comparison(runs: 15, operations: senders * hostsOfEach * messagesToEach) {
    try await sending(to: audiences) { audience in
      for actor in audience.actors {
        for _ in 0..<messagesToEach { await actor.answer(from: audience.service) }
        await actor.wait(for: messagesToEach)
      }
    }
  } _: {
    try await sending(to: audiences) { audience in
      for host in audience.hosts {
        for _ in 0..<messagesToEach {
          try await host.perform { $0.interactor.answer(from: audience.service) }
        }
        try await host.wait(for: messagesToEach)
      }
    }
  }
  for audience in audiences {
    for host in audience.hosts { await host.shutdown() }
  }
  return comparison
}

/// Those to whom one task sends its messages.
private struct Audience {
  let executor: (any TaskExecutor)?
  let service = Service()
  let hosts: [TreeHost<Router<WorkInteractor>>]
  let actors: [PlainActor]

  init(of count: Int, on executor: (any TaskExecutor)?) async {
    self.executor = executor
    var hosts: [TreeHost<Router<WorkInteractor>>] = []
    let configuration = TreeConfiguration(executor: executor)
    for _ in 0..<count {
      hosts.append(await TreeHost(configuration: configuration) { Router(interactor: WorkInteractor()) })
    }
    self.hosts = hosts
    actors = (0..<count).map { _ in PlainActor() }
  }
}

/// Sends messages from one task for each audience.
private func sending(
  to audiences: [Audience], _ send: @escaping @Sendable (Audience) async throws -> Void
) async throws {
  try await withThrowingTaskGroup { group in
    for audience in audiences {
      group.addTask(executorPreference: audience.executor) { try await send(audience) }
    }
    try await group.waitForAll()
  }
}
