import RIBs
import Testing

@testable import TaxiOrder

@Suite("A ledger of requests")
struct RequestLedgerTests {
  @Test("counts a request from an inactive RIB")
  func control() async throws {
    let ledger = RequestLedger()
    let host = await TreeHost(configuration: TreeConfiguration(onEvent: { ledger.record($0) })) {
      Router(interactor: Interactor())
    }
    let id = try await host.perform { root in root.interactor.nodeID }
    try ledger.send(from: id)
    #expect(ledger.requests == 1)
    #expect(ledger.requestsFromInactive == 0)
    await host.shutdown()
    try ledger.send(from: id)
    #expect(ledger.requests == 2)
    #expect(ledger.requestsFromInactive == 1)
    try ledger.send(from: nil)
    #expect(ledger.requestsFromInactive == 2)
  }

  @Test("refuses requests of cancelled work without counting them")
  func cancelled() async {
    let ledger = RequestLedger()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try ledger.send(from: nil)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ledger.requests == 0)
  }
}
