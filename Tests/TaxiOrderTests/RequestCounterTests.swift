// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsTesting
import Testing

@testable import RIBs
@testable import TaxiOrder

@Suite("A counter of requests", .folded)
struct RequestCounterTests {
  @Test("counts a request from an inactive RIB")
  func control() async throws {
    let requestCounter = RequestCounter()
    let host = await TreeHost(
      configuration: TreeConfiguration(inspector: TestTree.inspector, onEvent: { requestCounter.record($0) })
    ) {
      Router(interactor: Interactor())
    }
    let id = try await host.perform { root in root.interactor.nodeID }
    try requestCounter.countRequest(from: id)
    #expect((requestCounter.requests, requestCounter.requestsFromInactive) == (1, 0))
    await host.shutdown()
    try requestCounter.countRequest(from: id)
    #expect((requestCounter.requests, requestCounter.requestsFromInactive) == (2, 1))
    try requestCounter.countRequest(from: nil)
    #expect(requestCounter.requestsFromInactive == 2)
  }

  @Test("counts whatever the number of RIBs before", .noTrees, .timeLimit(.minutes(1)))
  func manyRIBs() throws {
    let requestCounter = RequestCounter()
    let id = NodeID(100_000_000)
    requestCounter.record(TreeEvent(kind: .activated, node: id, parent: nil, path: TreePath(), time: .zero))
    try requestCounter.countRequest(from: id)
    #expect((requestCounter.requests, requestCounter.requestsFromInactive) == (1, 0))
  }

  @Test("refuses requests of cancelled work without counting them", .noTrees)
  func cancelled() async {
    let requestCounter = RequestCounter()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try requestCounter.countRequest(from: nil)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(requestCounter.requests == 0)
  }
}
