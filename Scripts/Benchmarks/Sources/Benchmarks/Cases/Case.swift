// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The benchmark cases. Memory comes first, while the heap is fresh.
enum Case: String, CaseIterable, ExpressibleByArgument {
  case memory, attach, growth, tree, shared, stream, task, perform, values, hosts, sessions, worker, workflow, list,
    snapshot, saving, stores, directory, order
  case liveList = "live-list"
  case oneWay = "one-way"
  case http, heartbeat, pacing, storm

  func run() async throws -> [Measurement] {
    switch self {
    case .memory: await memoryCase()
    case .attach: await attachCase()
    case .growth: try growthCase()
    case .tree: await wholeTreeCase()
    case .shared: await sharedCase()
    case .stream: await streamCase()
    case .task: try await taskCase()
    case .perform: try await performCase()
    case .values: try await valuesCase()
    case .hosts: try await hostsCase()
    case .sessions: try sessionsCase()
    case .http: try httpCase()
    case .worker: await workerCase()
    case .workflow: try await workflowCase()
    case .list: try listCase()
    case .liveList: try await liveListCase()
    case .snapshot: try await snapshotCase()
    case .saving: try await savingCase()
    case .stores: try await storesCase()
    case .directory: try await directoryCase()
    case .oneWay: await oneWayCase()
    case .storm: try await stormCase()
    case .heartbeat: try await heartbeatCase()
    case .pacing: try await pacingCase()
    case .order: try await orderCase()
    }
  }
}
