import RIBs
import Testing

@Suite("A tree")
struct TreeTests {
  @Test("builds, runs and ends inside a host, and only values leave it")
  func host() async throws {
    let host = await TreeHost { Router(interactor: Interactor()) }
    #expect(try await host.perform { root in root.interactor.isActive })
    #expect(await host.snapshot().nodes.map(\.state) == [.active])
    #expect(await host.shutdown().stuck.isEmpty)
    await #expect(throws: TreeEnded.self) { try await host.perform { _ in } }
  }
}
