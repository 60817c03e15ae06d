// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A restored RIB that a stack covers", .folded) @MainActor
struct CoveredRestoreTests {
  /// A tree whose covered RIB has children of all kinds, with states.
  private func makeTree() -> (tree: Tree, root: SavedRouter) {
    let root = SavedRouter()
    let tree = Tree.launched(root)
    root.kept.push(.branch(1))
    let covered = root.kept.child as? SavedRouter
    covered?.slot.route = .branch(2)
    let child = covered?.slot.child as? SavedRouter
    for (index, router) in [covered, child].enumerated() {
      for case let badge as BadgeRouter in router?.children ?? [] { badge.interactor.savedState = 5 + index }
    }
    // The badge of the covered RIB comes last.
    if let badge = covered?.children.first(where: { $0 is BadgeRouter }) {
      covered?.detachChild(badge)
      covered?.attachChild(badge)
    }
    root.kept.push(.leaf(3))
    return (tree, root)
  }

  private func restore(_ document: String) throws -> (tree: Tree, root: SavedRouter) {
    let root = SavedRouter()
    return (try Tree.restoring(root, from: document), root)
  }

  @Test("is saved again with the children that its code has not attached yet, and attaches them when it is uncovered")
  func carriedOver() throws {
    let (tree, root) = makeTree()
    let document = try tree.document()
    var (restored, copy) = try restore(document)
    #expect(try restored.document() == document)
    restored.launch()
    #expect(try restored.document() == document)
    (restored, copy) = try restore(try restored.document())
    restored.launch()
    #expect(try restored.document() == document)
    copy.kept.pop()
    root.kept.pop()
    #expect(copy.saved == root.saved)
    #expect(copy.saved.contains("Badge 5") && copy.saved.contains("Badge 6"))
    #expect(try restored.document() == tree.document())
  }

  @Test("keeps what its code did not attach when it was uncovered, and gives it to the child that is attached later")
  func late() throws {
    let (tree, root) = makeTree()
    let covered = root.kept
    root.kept.pop()
    let extra = SavedRouter()
    extra.interactor.savedState.number = 77
    (covered.child as? SavedRouter)?.attachChild(extra)
    root.kept.push(.leaf(3))
    let (restored, copy) = try restore(try tree.document())
    let events = StreamRecorder(restored.events.filter { $0.kind == .restored }.map { "\($0)" })
    restored.launch()
    #expect(events.values.count == 1)
    #expect(events.values.first?.contains("without") == false)
    copy.kept.pop()
    #expect(events.values.count == 2)
    #expect(events.values.last?.hasSuffix("without Saved/Saved/Saved") == true)
    let late = SavedRouter()
    (copy.kept.child as? SavedRouter)?.attachChild(late)
    #expect(late.interactor.stateAtActivation?.number == 77)
    #expect(events.values.count == 2)
  }

  @Test("is released when its route is removed")
  func released() throws {
    final class Cover: Router<LampInteractor> {
      weak var last: RouterNode?
      lazy var stack = ChildStack<SavedRoute>(of: self, covered: .kept) { router, route in
        let child = SavedRouter(route)
        if case .branch = route { router.last = child }
        return child
      }
      override var savedChildren: [SavedChildren] { [stack.saved(as: "stack")] }
    }
    let root = Cover(interactor: LampInteractor())
    let tree = Tree.launched(root)
    root.stack.push(.branch(1))
    root.stack.push(.leaf(2))
    let copy = Cover(interactor: LampInteractor())
    let restored = try Tree(root: copy, restoring: tree.save(), coder: PlainCoder())
    restored.launch()
    #expect(copy.last != nil)
    copy.stack.removeAll()
    #expect(copy.last == nil)
    #expect(try restored.document().contains("Badge") == false)
    copy.stack.push(.branch(3))
    #expect(copy.last?.children.count == 3)
  }
}
