// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Dispatch
import RIBs
import Testing

@Suite("A host whose builder throws, awaits, or is refused")
struct HostBuildingTests {
  private let journal = Journal()

  @Test("throws its builder's error, and reports it nowhere else", arguments: [false, true])
  func throwing(isAsync: Bool) async {
    await #expect(throws: Failure.self) {
      if isAsync {
        _ = try await TreeHost { () async throws -> sending Scripted.RootRouter in
          await Task.yield()
          throw Failure()
        }
      } else {
        _ = try await TreeHost { () throws -> Scripted.RootRouter in throw Failure() }
      }
    }
  }

  @Test("launches what its builder has awaited")
  func awaiting() async throws {
    let host = await TreeHost { () async -> sending Scripted.RootRouter in
      await Task.yield()
      return Scripted.RootRouter()
    }
    #expect(try await host.perform { root in root.interactor.isActive })
    await host.shutdown()
  }

  /// True in the task that builds. The task that releases an ended tree does not inherit it.
  @TaskLocal private static var isBuilding = false

  @Test("releases the root on the tree, and not in the task that has built it, if the tree ends during its launch")
  func releasedOnTree() async {
    let configuration = TreeConfiguration(leakDetection: .off)
    let executor = OwnThread()
    let isReleased = DispatchSemaphore(value: 0)
    let wait: @Sendable () -> Void = { _ = isReleased.wait(timeout: .now() + .seconds(1)) }
    let building = Task(executorPreference: executor) {
      await Self.$isBuilding.withValue(true) {
        await TreeHost(configuration: configuration) { () async -> sending Scripted.RootRouter in
          let root = Scripted.RootRouter()
          root.interactor.onActive = { interactor in
            // The task that builds continues after this, so that the tree is the first to release its root.
            Task(executorPreference: executor) { wait() }
            interactor.endTree()
          }
          root.interactor.onDeinit = {
            // The tree's actor may run on the queue too, so the thread does not tell who releases the root.
            journal.write(Self.isBuilding ? "by the builder" : "on the tree")
            isReleased.signal()
          }
          return root
        }
      }
    }
    let host = await building.value
    while journal.lines.isEmpty { await Task.yield() }
    #expect(journal.lines == ["on the tree"])
    await host.shutdown()
  }

  @Test("has ended at once if its launch is refused, and throws the misuse at each call")
  func refused() async {
    var configuration = journal.configuration
    configuration.name = "order-17"
    let host = await TreeHost(configuration: configuration) {
      let root = Scripted.RootRouter()
      root.interactor.activate()
      return root
    }
    #expect(!host.isActive)
    #expect(await host.ended.description.hasPrefix("its launch was refused: "))
    for _ in 1...2 {
      let error = await #expect(throws: Misuse.self) { try await host.perform { _ in } }
      #expect(error?.kind == .alreadyLaunched)
    }
    #expect(journal.lines == ["error alreadyLaunched order-17:Root"])
    await host.shutdown()
  }
}
