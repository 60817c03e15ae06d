import RIBs
import Workloads

/// Messages a second that ten thousand trees answer, on one core and on two, beside as many actors without trees.
func hostsCase() async throws -> [Measurement] {
  let one = try await Throughput.hosts.measured(onCores: 1)
  let two = try await Throughput.hosts.measured(onCores: 2)
  return [
    Measurement("messages to 10000 hosts on one core, beside actors", one.value, over: one.baseline, unit: "/s"),
    Measurement("messages to 10000 hosts on two cores, beside actors", two.value, over: two.baseline, unit: "/s"),
    Measurement(
      "messages to 10000 hosts on two cores, beside one core", two.value, over: one.value, unit: "/s", .atLeast(1.9)),
  ]
}

/// How long ten thousand hosts, and as many actors without trees, take to answer a message.
func answeringOfHosts() async throws -> Comparison {
  let messagesToEach = 20
  var launched: [TreeHost<Router<WorkInteractor>>] = []
  for _ in 0..<10_000 { launched.append(await TreeHost { Router(interactor: WorkInteractor()) }) }
  let hosts = launched
  let actors = hosts.map { _ in PlainActor() }
  let comparison = try await Comparison(runs: 5, operations: hosts.count * messagesToEach) {
    try await sending(to: actors) { actor, service in
      for _ in 0..<messagesToEach { await actor.answer(from: service) }
      await actor.wait(for: messagesToEach)
    }
  } _: {
    try await sending(to: hosts) { host, service in
      for _ in 0..<messagesToEach { try await host.perform { $0.interactor.answer(from: service) } }
      try await host.wait(for: messagesToEach)
    }
  }
  for host in hosts { await host.shutdown() }
  return comparison
}

/// Sends messages from eight tasks, each to its share of those who are to answer, with a service of its own for each.
private func sending<Answering: Sendable>(
  to all: [Answering], _ send: @escaping @Sendable (Answering, Service) async throws -> Void
) async throws {
  let senders = 8
  try await withThrowingTaskGroup { group in
    for sender in 0..<senders {
      group.addTask {
        let service = Service()
        for index in stride(from: sender, to: all.count, by: senders) { try await send(all[index], service) }
      }
    }
    try await group.waitForAll()
  }
}
