// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Dispatch
import Foundation
import RIBs
import RIBsTesting
import Testing

extension QueueActor {
  /// Ends the tree, and misuses its RIBs.
  ///
  /// - Returns: the misuses that were reported to the handler outside trees.
  fileprivate func useAfterEnd() -> [String] {
    tree?.end()
    return recordMisuses {
      guard let root = tree?.rootNode, let child = root.children.first as? Scripted.ChildRouter else { return }
      root.attachChild(Scripted.LeafRouter())
      child.interactor.task {}
    }.map { "\($0.kind) \($0.path)" }
  }
}

@Suite("The name of a tree")
struct TreeNameTests {
  private let journal = Journal()

  private var configuration: TreeConfiguration {
    var configuration = journal.configuration
    configuration.name = "order-17"
    configuration.labels = ["tenant": "north"]
    configuration.onFailure = { [journal] failure in journal.write("failure \(failure.path)") }
    return configuration
  }

  @Test("begins the paths of its events, misuse, failures and unfinished work", .patient)
  func paths() async throws {
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let gate = Gate()
    try await host.perform { [journal] root in
      root.attachChild(root)
      root.interactor.task { await gate.passStubbornly(journal) }
    }
    await journal.wait(for: "begun")
    let report = await host.shutdown(timeout: .zero)
    #expect(report.unfinishedTasks.map(\.path.description) == ["order-17:Root"])
    #expect(report.unfinishedTasks.first?.path.tree == "order-17")
    #expect(report.unfinishedTasks.first?.path.labels == ["tenant": "north"])
    gate.open()
    #expect(journal.lines.allSatisfy { $0 == "begun" || $0.contains("order-17:Root") })
    #expect(journal.lines.count > 5)
  }

  @Test("begins the report of a tree that does not answer in time, with the RIB that resigns")
  func busy() async throws {
    let semaphore = DispatchSemaphore(value: 0)
    let clock = TestClock()
    var configuration = configuration
    configuration.clock = clock
    let host = await TreeHost(configuration: configuration) { [journal] in
      let root = Scripted.RootRouter()
      root.interactor.onResign = { _ in
        journal.write("resigns")
        semaphore.wait()
      }
      return root
    }
    let shutdown = Task { await host.shutdown(timeout: .milliseconds(1)) }
    await journal.wait(for: "resigns")
    await clock.waitForSleeper()
    clock.advance(by: .milliseconds(1))
    let busy = await shutdown.value.busy
    #expect(busy?.root == "order-17:Root")
    #expect(busy?.path?.description == "order-17:Root")
    #expect(busy?.path?.labels == ["tenant": "north"])
    semaphore.signal()
    await host.shutdown()
  }

  @Test("begins the paths of a refused launch, and of misuse after the end of the tree")
  func refusals() async throws {
    let host = await TreeHost(configuration: configuration) {
      let root = Scripted.RootRouter()
      root.interactor.activate()
      return root
    }
    #expect(journal.lines == ["error alreadyLaunched order-17:Root"])
    await #expect(throws: Misuse.self) { try await host.perform { _ in } }
    for hasHandler in [true, false] {
      let journal = Journal()
      var configuration = journal.configuration
      configuration.name = "order-17"
      if !hasHandler { configuration.onMisuse = nil }
      let home = QueueActor()
      await home.launch(configuration) {
        let root = Scripted.RootRouter()
        root.attachChild(Scripted.ChildRouter())
        return root
      }
      let misuses = ["treeEnded order-17:Root", "taskWhileInactive order-17:Root/Child"]
      #expect(await home.useAfterEnd() == (hasHandler ? [] : misuses))
      let lines = journal.lines.filter { $0.hasPrefix("warning") }
      #expect(lines == (hasHandler ? misuses.map { "warning \($0)" } : []))
    }
  }

  @Test("begins the paths of leaks and of slow turns")
  func leaksAndTurns() async throws {
    let clock = TestClock()
    let reports = Journal()
    var configuration = TreeConfiguration(
      name: "order-17", clock: clock, leakDetection: .after(.seconds(1)), turnLimit: .milliseconds(100),
      onLeak: { reports.write("leak \($0.path)") }, onSlowTurn: { reports.write("turn \($0.path)") })
    configuration.onFailure = { _ in }
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    try await host.perform { root in
      let child = Scripted.ChildRouter()
      root.attachment = child
      root.attachChild(child)
      root.detachChild(child)
      clock.advance(by: .milliseconds(200))
    }
    while !reports.lines.contains("leak order-17:Root/Child") {
      clock.advance(by: .seconds(5))
      await Task.yield()
    }
    #expect(reports.lines.first == "turn order-17:Root")
    try await host.perform { $0.attachment = nil }
    await host.shutdown()
  }

  @Test("is in snapshots, also when they are sent")
  func snapshots() async throws {
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let snapshot = await host.snapshot()
    #expect(snapshot.name == "order-17")
    #expect(snapshot.labels == ["tenant": "north"])
    let sent = try JSONDecoder().decode(TreeSnapshot.self, from: try JSONEncoder().encode(snapshot))
    #expect(sent == snapshot)
    await host.shutdown()
  }

  @Test("is none by default")
  func none() async throws {
    let host = await TreeHost(configuration: journal.configuration) { Scripted.RootRouter() }
    let snapshot = await host.snapshot()
    #expect(snapshot.name == nil)
    #expect(!String(decoding: try JSONEncoder().encode(snapshot), as: UTF8.self).contains("\"name\":null"))
    await host.shutdown()
    #expect(journal.lines.first == "attached Root")
  }
}
