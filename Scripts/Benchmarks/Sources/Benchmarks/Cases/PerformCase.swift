// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Workloads

/// Calls into a tree, and commands that change three RIBs of one and are followed by a reader outside, compared with an
/// actor that has the same rules.
func performCase() async throws -> [Measurement] {
  let plain = PlainActor()
  let host = await TreeHost { Router(interactor: WorkInteractor()) }
  // The caller uses the result, so both variants hop to the actor and back each time.
  let calls = 2_000
  let perform = try await Comparison(runs: 1_000, operations: calls) {
    for _ in 0..<calls { keep(await plain.perform { _ in keep(1) }) }
  } _: {
    for _ in 0..<calls { keep(try await host.perform { _ in keep(1) }) }
  }
  await host.shutdown()
  let asynchronous = try await asynchronousCalls()
  let alone = try await commands(areRead: false)
  let read = try await commands(areRead: true)
  return [
    Measurement("perform", perform, .atMost(1.15)),
    Measurement("perform with an asynchronous closure", asynchronous),
    Measurement("commands of 100 sessions", alone.value, over: alone.baseline, unit: "/s", .atLeast(0.7)),
    Measurement(
      "commands of 100 sessions with a reader each", read.value, over: read.baseline, unit: "/s", .atLeast(0.7)),
  ]
}

/// The baseline starts a task in the actor, because such a call may be cancelled with the actor's owner.
private func asynchronousCalls() async throws -> Comparison {
  let plain = PlainActor()
  let host = await TreeHost { Router(interactor: WorkInteractor()) }
  let calls = 500
  let comparison = try await Comparison(runs: 500, operations: calls) {
    for _ in 0..<calls { keep(await plain.call { 1 }) }
  } _: {
    for _ in 0..<calls {
      keep(
        try await host.perform { _ in
          await Task.yield()
          return 1
        })
    }
  }
  await host.shutdown()
  return comparison
}

/// Commands per second.
private func commands(areRead: Bool) async throws -> Apart.Reading {
  let (sessions, rounds) = (100, 20)
  var actors: [PlainSession] = []
  var hosts: [TreeHost<SessionRouter>] = []
  var readers: [Task<Void, Never>] = []
  for _ in 0..<sessions {
    let (plain, host) = (PlainSession(), await openSession())
    await plain.begin()
    actors.append(plain)
    hosts.append(host)
    guard areRead else { continue }
    await readers.append(reader(of: plain.totals()))
    await readers.append(reader(of: host.values { root in root.interactor.total }))
  }
  let comparison = try await Comparison(runs: 500, operations: sessions * rounds) {
    for _ in 0..<rounds { for plain in actors { keep(try await plain.add(1, to: 3)) } }
  } _: {
    for _ in 0..<rounds {
      for host in hosts {
        keep(
          try await host.perform { root in
            try root.parts[3].interactor.add(1)
            return root.interactor.total.value
          })
      }
    }
  }
  for plain in actors { await plain.end() }
  await endAll(hosts)
  for reader in readers { await reader.value }
  return Apart.Reading(value: 1e9 / comparison.value, baseline: 1e9 / comparison.baseline)
}

/// A task that reads values, and has read the first.
private func reader<Values: AsyncSequence & Sendable>(of values: Values) async -> Task<Void, Never>
where Values.Element == Int, Values.Failure == Never {
  let (begun, begin) = AsyncStream<Void>.makeStream()
  let reader = Task {
    for await value in values {
      keep(value)
      begin.finish()
    }
  }
  for await _ in begun {}
  return reader
}

/// A host of a session, with the usual configuration of a server.
func openSession() async -> TreeHost<SessionRouter> {
  await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { SessionRouter() }
}
