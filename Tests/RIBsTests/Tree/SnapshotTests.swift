import Foundation
import RIBs
import RIBsTesting
import Testing

@Suite("The snapshot of a tree")
struct SnapshotTests {
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
    let copy = try JSONDecoder().decode(TreeSnapshot.self, from: JSONEncoder().encode(snapshot))
    #expect(copy == snapshot)
    test.finish()
  }
}
