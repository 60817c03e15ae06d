// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Heap
import RIBs
import RIBsStore
import Workloads

/// Calls by key of trees that are awake and that the calls do not change, compared with calls of their host; and the
/// memory of a directory with a limit, after more and more trees were opened.
func directoryCase() async throws -> [Measurement] {
  [
    Measurement("a call by key", try await calls(of: directory()), .atMost(2)),
    // Each call reads the clock: a process that was suspended must find that its lease has ended.
    Measurement(
      "a call by key, in a directory with a lease", try await calls(of: directory(in: MemoryStore())), .atMost(2.7)),
    Measurement(
      "a call by a textual key, among 10000 trees",
      try await calls(of: directory(), ids: (0..<10_000).map { "customer-\($0)" })),
  ] + (try await storm())
}

/// The heap after 100,000 trees were opened once each, of which 1,000 are awake, compared with that after 20,000.
private func storm() async throws -> [Measurement] {
  guard heap_in_use() > 0 else { return [] }
  let directory: TreeDirectory<Int, Router<WorkInteractor>> = directory(
    in: ForgetfulStore(), configuration: DirectoryConfiguration(limit: 1_000))
  func open(_ ids: Range<Int>) async throws -> Double {
    for id in ids { try await directory.perform(on: id) { _ in } }
    return Double(heap_in_use())
  }
  let early = try await open(0..<20_000)
  let late = try await open(20_000..<100_000)
  await directory.shutdown()
  return [
    Measurement(
      "heap after 100000 trees, at most 1000 awake, beside 20000", late, over: early, unit: "bytes", .atMost(1.02))
  ]
}

/// Keeps nothing, so that only the directory's memory counts.
private struct ForgetfulStore: TreeStore {
  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    .claimed(fence: 1, saved: nil)
  }

  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> { [] }

  func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] { [] }

  func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool { true }
}

private func directory<ID>(
  in store: (any TreeStore)? = nil, configuration: DirectoryConfiguration = DirectoryConfiguration()
) -> TreeDirectory<ID, Router<WorkInteractor>> {
  TreeDirectory(in: store, configuration: configuration, tree: { _ in TreeConfiguration(leakDetection: .off) }) { _ in
    Router(interactor: WorkInteractor())
  }
}

private func calls(of directory: TreeDirectory<Int, Router<WorkInteractor>>) async throws -> Comparison {
  try await calls(of: directory, ids: [17])
}

private func calls<ID>(of directory: TreeDirectory<ID, Router<WorkInteractor>>, ids: [ID]) async throws -> Comparison {
  for id in ids { try await directory.perform(on: id) { _ in } }
  var hosts: [TreeHost<Router<WorkInteractor>>] = []
  for id in ids { hosts.append(try await directory.host(for: id)) }
  let calls = 2_000
  let comparison = try await Comparison(runs: 500, operations: calls) {
    for call in 0..<calls { keep(try await hosts[call % hosts.count].perform { _ in keep(1) }) }
  } _: {
    for call in 0..<calls { keep(try await directory.perform(on: ids[call % ids.count]) { _ in keep(1) }) }
  }
  await directory.shutdown()
  return comparison
}
