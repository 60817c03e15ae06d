// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
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

  @Test(
    "begins the paths of its events, misuse, failures and unfinished work, and is in snapshots after its end", .patient)
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
    let snapshot = await host.snapshot()
    #expect(snapshot.nodes.isEmpty && snapshot.name == "order-17" && snapshot.labels == ["tenant": "north"])
    gate.open()
    #expect(journal.lines.allSatisfy { $0 == "begun" || $0.contains("order-17:Root") })
    #expect(journal.lines.count > 5)
  }

  @Test("begins the paths of misuse after the end of the tree", arguments: [true, false])
  func afterTheEnd(hasHandler: Bool) async throws {
    var configuration = configuration
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

  @Test("is in snapshots, also when they are sent, and is none by default", arguments: [true, false])
  func snapshots(isNamed: Bool) async throws {
    let host = await TreeHost(configuration: isNamed ? configuration : journal.configuration) { Scripted.RootRouter() }
    let snapshot = await host.snapshot()
    #expect(snapshot.name == (isNamed ? "order-17" : nil))
    #expect(snapshot.labels == (isNamed ? ["tenant": "north"] : [:]))
    let data = try JSONEncoder().encode(snapshot)
    #expect(!String(decoding: data, as: UTF8.self).contains("\"name\":null"))
    #expect(try JSONDecoder().decode(TreeSnapshot.self, from: data) == snapshot)
    await host.shutdown()
    #expect(journal.lines.first == (isNamed ? "attached order-17:Root" : "attached Root"))
  }
}
