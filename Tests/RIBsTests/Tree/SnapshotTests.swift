// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsTesting
import Testing

/// A RIB that may change the tree when a snapshot asks for its label, or for its summary.
private final class ChangingInteractor: Interactor {
  var onLabel: () -> Void = {}
  var onSummary: () -> Void = {}

  override var ribLabel: String? {
    onLabel()
    return "first"
  }

  override var treeSummary: String? {
    onSummary()
    return "changed"
  }
}

@Suite("The snapshot of a tree", .folded)
struct SnapshotTests {
  @Test("names a RIB with a plain router after the type of its interactor, whatever type the router declares")
  func plainRouters() {
    let test = TestTree(recording: [])
    class BaseInteractor: Interactor {}
    final class RideInteractor: BaseInteractor {}
    final class View: ViewControllable {}
    let root = test.launch(Router<any Interactable>(interactor: RideInteractor()))
    root.attachChild(Router<BaseInteractor>(interactor: RideInteractor()))
    root.attachChild(ViewableRouter<any Interactable, View>(interactor: BaseInteractor(), viewController: View()))
    root.attachChild(Router(interactor: Interactor()))
    #expect(test.tree?.snapshot().nodes.map(\.name) == ["Ride", "Ride", "Base", "Interactor"])
    test.finish()
  }

  @Test(
    "shows the tree as it was, also if a label or a summary changes or ends it", arguments: [false, true],
    [false, true])
  @MainActor
  func changed(byLabel: Bool, endsTree: Bool) {
    let root = Router(interactor: ChangingInteractor())
    let tree = Tree.launched(root, TreeConfiguration(leakDetection: .off))
    let paths = StreamRecorder(tree.events.map(\.path.description))
    let first = Router(interactor: ChangingInteractor())
    first.attachChild(Scripted.LeafRouter())
    for child in [first, Scripted.ChildRouter()] as [any Routing] { root.attachChild(child) }
    let changing = byLabel ? first.interactor : root.interactor
    let change = { [weak root, weak changing] in
      // Its events have labels too.
      changing?.onLabel = {}
      if endsTree { return tree.end() }
      for child in root?.children ?? [] { root?.detachChild(child) }
    }
    if byLabel { changing.onLabel = change } else { changing.onSummary = change }
    let snapshot = tree.snapshot()
    #expect(snapshot.nodes.map(\.title) == ["Changing first", "Changing first", "Leaf", "Child"])
    #expect(snapshot.nodes.first?.summary == "changed")
    #expect(root.children.count == (endsTree ? 2 : 0))
    #expect(paths.values.last == (endsTree ? "Changing first" : "Changing first/Child"))
    paths.stop()
    tree.end()
  }

  @Test("shows each RIB with its state, and survives being encoded")
  func content() throws {
    let test = TestTree(recording: [])
    let (root, child, leaf) = (Scripted.RootRouter(), Scripted.ChildRouter(), Scripted.LeafRouter())
    #expect(Tree(root: Scripted.RootRouter()).snapshot().nodes.map(\.state) == [.inactive])
    test.launch(root)
    test.advance(by: .seconds(2))
    child.interactor.summary = "waiting"
    let relay = BehaviorRelay(value: 1)
    child.interactor.onActive = { interactor in
      relay.subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: interactor)
      BehaviorRelay(value: 1).subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: interactor)
    }
    child.attachChild(leaf)
    root.attachChild(child)
    root.attachChild(ViewableRouter(interactor: Interactor(), viewController: ViewControllableDouble()))
    let line: UInt = #line + 1
    child.interactor.task { try await test.clock.sleep(for: .seconds(60)) }
    test.advance(by: .seconds(3))
    leaf.interactor.deactivate()
    let snapshot = try #require(test.tree?.snapshot())
    let nodes = snapshot.nodes
    try #require(nodes.map(\.name) == ["Root", "Child", "Leaf", "Interactor"])
    #expect(
      nodes.map(\.router) == [
        "RootRouter", "ChildRouter", "LeafRouter", "ViewableRouter<Interactor, ViewControllableDouble>",
      ])
    #expect(nodes.map(\.interactor) == ["Interactor", "Interactor", "Interactor", "Interactor"])
    #expect(nodes.map(\.parent) == [nil, 0, 1, 0])
    #expect(nodes.map { $0.id?.rawValue } == [1, 2, 3, 4])
    #expect(nodes.map(\.state) == [.active, .active, .inactive, .active])
    #expect(nodes.map(\.age) == [.seconds(5), .seconds(3), nil, .seconds(3)])
    #expect(nodes.map(\.hasView) == [false, false, false, true])
    #expect(nodes.map(\.tasks) == [[], ["SnapshotTests.swift:\(line)"], [], []])
    #expect(nodes[1].subscriptions == 1)
    #expect(nodes.map(\.summary) == [nil, "waiting", nil, nil])
    #expect(try JSONDecoder().decode(TreeSnapshot.self, from: JSONEncoder().encode(snapshot)) == snapshot)
    test.finish()
  }
}
