import Dispatch
import RIBs
import Testing

/// Blocks the thread of a tree until a test opens it.
private final class Blockade: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func block() { semaphore.wait() }
  func open() { semaphore.signal() }
}

@Suite("A limit on the shutdown of a tree that does not answer", .serialized)
struct BusyShutdownTests {
  enum Place: CaseIterable { case call, resignation, work }

  private let journal = Journal()
  private let blockade = Blockade()

  private func block() {
    journal.write("blocked")
    blockade.block()
  }

  @Test("holds, and the report says which tree is busy, and with what", arguments: Place.allCases)
  func busy(_ place: Place) async throws {
    // Calls and work block a thread of their own.
    let executor = TreeExecutor()
    defer { blockade.open() }
    let host = await TreeHost(configuration: TreeConfiguration(executor: executor, leakDetection: .off)) { [self] in
      let root = Scripted.RootRouter()
      if place == .resignation { root.interactor.onResign = { _ in self.block() } }
      return root
    }
    switch place {
    case .call: Task(executorPreference: executor) { try await host.perform { _ in self.block() } }
    case .work: try await host.perform { root in _ = root.interactor.task { self.block() } }
    case .resignation: break
    }
    if place != .resignation { await journal.wait(for: "blocked") }
    let report = await host.shutdown(timeout: .milliseconds(20))
    let busy = try #require(report.busy)
    #expect(busy.root == "Root")
    #expect(busy.time == .milliseconds(20))
    #expect(busy.activity.hasPrefix(place == .resignation ? "has not ended:" : "has not begun to end:"))
    blockade.open()
    #expect(await host.shutdown().busy == nil)
  }
}
