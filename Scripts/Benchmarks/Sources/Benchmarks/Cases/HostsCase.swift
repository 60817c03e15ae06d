// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Workloads

/// Messages per second that ten thousand trees answer, compared with as many actors without trees.
func hostsCase() async throws -> [Measurement] {
  let name = "messages to 10000 hosts"
  let one = try await Apart.hosts.measured(onCores: 1)
  let two = try await Apart.hosts.measured(onCores: 2)
  let ends = try await Apart.sessionEnds.measured(onCores: 2)
  return [
    Measurement("10000 sessions end, under load", ends.value, over: ends.baseline, unit: "ms", .valueAtMost(500)),
    Measurement("\(name), on one core, beside actors", one.value, over: one.baseline, unit: "/s"),
    Measurement("\(name), on two cores, beside actors", two.value, over: two.baseline, unit: "/s"),
    Measurement("\(name), on two cores, beside one core", two.value, over: one.value, unit: "/s"),
  ]
}

// Each run visits the next few members. Runs are short because both cores have to be undisturbed at once.
private let (audiences, membersOfEach, visitedOfEach, messagesToEach) = (8, 1_250, 25, 20)
private let messages = audiences * visitedOfEach * messagesToEach

/// The time ten thousand hosts take to answer a message, compared with as many actors.
func answeringOfHosts() async throws -> Comparison {
  let hosts = await hostsOfAudiences()
  let actors = (0..<audiences).map { _ in
    Audience(members: (0..<membersOfEach).map { _ in PlainActor() })
  }
  var visits = Visits()
  let comparison = try await Comparison(runs: 500, operations: messages) {
    try await send(to: actors, visits.next()) { actor, service in
      for _ in 0..<messagesToEach { await actor.answer(from: service) }
      await actor.wait(for: messagesToEach)
    }
  } _: {
    try await send(to: hosts, visits.last, sendToHost)
  }
  await shutDown(hosts)
  return comparison
}

private typealias Host = TreeHost<Router<WorkInteractor>>

/// The members that one task sends messages to, and the service they call.
private struct Audience<Member: Sendable>: Sendable {
  let members: [Member]
  let service = Service()
}

/// The members of each audience that a run visits.
private struct Visits {
  private(set) var last = 0..<visitedOfEach

  mutating func next() -> Range<Int> {
    let start = last.upperBound % membersOfEach
    last = start..<start + visitedOfEach
    return last
  }
}

private func hostsOfAudiences() async -> [Audience<Host>] {
  var all: [Audience<Host>] = []
  for _ in 0..<audiences {
    var hosts: [Host] = []
    for _ in 0..<membersOfEach { hosts.append(await TreeHost { Router(interactor: WorkInteractor()) }) }
    all.append(Audience(members: hosts))
  }
  return all
}

private let sendToHost: @Sendable (Host, Service) async throws -> Void = { host, service in
  for _ in 0..<messagesToEach { try await host.perform { $0.interactor.answer(from: service) } }
  try await host.wait(for: messagesToEach)
}

private func shutDown(_ audiences: [Audience<Host>]) async {
  for audience in audiences { await endAll(audience.members) }
}

/// Sends messages to some members of each audience, with one task per audience.
private func send<Member>(
  to audiences: [Audience<Member>], _ visited: Range<Int>,
  _ send: @escaping @Sendable (Member, Service) async throws -> Void
) async throws {
  try await withThrowingTaskGroup { group in
    for audience in audiences {
      group.addTask {
        for member in audience.members[visited] { try await send(member, audience.service) }
      }
    }
    try await group.waitForAll()
  }
}
