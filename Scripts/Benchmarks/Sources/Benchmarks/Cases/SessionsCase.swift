// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Heap
import RIBs
import Workloads

/// The heap of a session of seven RIBs, and 100,000 of them in one process, compared with actors that have the same
/// rules; empty if the C library does not report the heap.
func sessionsCase() throws -> [Measurement] {
  guard heap_in_use() > 0 else { return [] }
  let heap = try Apart.sessionHeap.measuredAlone()
  let calls = try Apart.manySessions.measuredAlone()
  return [
    Measurement(
      "heap of a session of 7 RIBs, among 10000", heap.value, over: heap.baseline, unit: "bytes", .valueAtMost(5_000)),
    Measurement("a call of each of 100000 sessions", calls.value, over: calls.baseline),
  ]
}

/// Bytes of heap per session.
func heapOfSessions() async throws -> Apart.Reading {
  let count = 10_000
  // What the first session allocates for all.
  await openSession().shutdown()
  var before = heap_in_use()
  let actors = await plainSessions(count)
  let baseline = Double(heap_in_use() - before) / Double(count)
  before = heap_in_use()
  let hosts = await openSessions(count)
  let value = Double(heap_in_use() - before) / Double(count)
  for plain in actors { await plain.end() }
  await endAll(hosts)
  return Apart.Reading(value: value, baseline: baseline)
}

/// Nanoseconds for a command to each of many sessions, in turn.
func callsOfManySessions() async throws -> Comparison {
  let count = 100_000
  let actors = await plainSessions(count)
  let hosts = await openSessions(count)
  let comparison = try await Comparison(runs: 5, operations: count) {
    for plain in actors { keep(try await plain.add(1, to: 3)) }
  } _: {
    for host in hosts {
      keep(
        try await host.perform { root in
          try root.parts[3].interactor.add(1)
          return root.interactor.total.value
        })
    }
  }
  await endAll(hosts)
  return comparison
}

/// Milliseconds in which 10,000 sessions with work end, while two tasks call others.
func endOfSessions() async throws -> Comparison {
  let count = 10_000
  let others = await openSessions(100)
  let load = (0..<2).map { _ in
    Task {
      while !Task.isCancelled {
        for host in others {
          try await host.perform { root in
            try root.parts[0].interactor.add(1)
            root.interactor.task { await Task.yield() }
          }
        }
        await Task.yield()
      }
    }
  }
  var comparison = Comparison()
  for _ in 0..<5 {
    let actors = await plainSessions(count)
    for plain in actors { await plain.work() }
    let hosts = await openSessions(count)
    for host in hosts { try await host.perform { $0.interactor.task { try await Task.sleep(for: .seconds(3600)) } } }
    let ofActors = await ContinuousClock().measure {
      await withTaskGroup { group in for plain in actors { group.addTask { await plain.end() } } }
    }
    let ofHosts = await ContinuousClock().measure { await endAll(hosts, timeout: .seconds(30)) }
    comparison.note(ofHosts, over: ofActors, operations: 1_000_000)
  }
  for task in load { task.cancel() }
  for task in load { _ = await task.result }
  await endAll(others)
  return comparison
}

private func plainSessions(_ count: Int) async -> [PlainSession] {
  var sessions: [PlainSession] = []
  sessions.reserveCapacity(count)
  for _ in 0..<count {
    let session = PlainSession()
    await session.begin()
    sessions.append(session)
  }
  return sessions
}

private func openSessions(_ count: Int) async -> [TreeHost<SessionRouter>] {
  var sessions: [TreeHost<SessionRouter>] = []
  sessions.reserveCapacity(count)
  for _ in 0..<count { sessions.append(await openSession()) }
  return sessions
}
