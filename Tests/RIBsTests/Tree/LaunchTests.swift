// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

/// An actor that launches its tree where it is not isolated yet.
private actor EarlyActor {
  private let tree: Tree
  let wasLaunched: Bool

  init(_ configuration: TreeConfiguration) async {
    let tree = Tree(root: Scripted.RootRouter(), configuration: configuration)
    wasLaunched = tree.launch()
    self.tree = tree
  }
}

@Suite("Launching a tree") @MainActor
struct LaunchTests {
  private let journal = Journal()

  @Test("is refused in an actor's asynchronous initializer")
  nonisolated func asyncInitializer() async {
    let actor = await EarlyActor(journal.configuration)
    #expect(!actor.wasLaunched)
    #expect(journal.lines == ["error noIsolation Root"])
  }

  @Test("is refused a second time, also after the end, and for a root that is in use")
  func twice() {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root, configuration: journal.configuration)
    #expect(tree.launch())
    #expect(!tree.launch())
    #expect(tree.isActive)
    #expect(!Tree(root: root, configuration: journal.configuration).launch())
    #expect(root.interactor.isActive)
    tree.end()
    #expect(!tree.launch())
    #expect(journal.lines.filter { $0.hasPrefix("error") } == Array(repeating: "error alreadyLaunched Root", count: 3))
    #expect(Tree(root: root, configuration: journal.configuration).launch())
  }

  @Test("is refused for a test double")
  func double() async {
    let tree = Tree(root: RoutingDouble(), configuration: journal.configuration)
    #expect(!tree.launch())
    #expect(tree.snapshot().nodes.isEmpty)
    let host = await TreeHost(configuration: journal.configuration) { RoutingDouble() }
    await #expect(throws: Misuse.self) { try await host.perform { _ in } }
    #expect(await host.snapshot().nodes.isEmpty)
    #expect(await host.shutdown().unfinishedTasks.isEmpty)
    #expect(journal.lines == ["error rootIsNotRouter RoutingDouble", "error rootIsNotRouter RoutingDouble"])
  }

  @Test("is refused after an attempt outside an actor only there")
  func again() async {
    let tree = Tree(root: Scripted.RootRouter(), configuration: journal.configuration)
    #expect(await tree.shutdown().unfinishedTasks.isEmpty)
    tree.end()
    #expect(tree.launch())
    await tree.shutdown()
    #expect(!tree.isActive)
  }

  @Test("has one root after another tree, more often than a byte can count")
  func manyTrees() {
    let root = Router(interactor: Interactor())
    let trees = (0..<300).map { _ in
      let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
      #expect(tree.launch())
      tree.end()
      return tree
    }
    withExtendedLifetime(trees) {}
  }
}
