// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

/// A RIB with a slot, whose closure returns a router that is attached already.
private final class CachingRouter: Router<Interactor> {
  weak var cached: CachingRouter?

  private(set) lazy var slot = ChildSlot<Int>(of: self) { router, _ in
    router.cached ?? CachingRouter(interactor: Interactor())
  }

  override var savedChildren: [SavedChildren] { [slot.saved(as: "slot")] }
}

@Suite("A tree that is saved while it refuses a child")
struct RefusedChildTests {
  @Test("is saved without that child, whether it is the root, the parent or a sibling", arguments: 0..<3)
  @MainActor
  func saves(which: Int) {
    let (root, parent, sibling) = (
      CachingRouter(interactor: Interactor()), CachingRouter(interactor: Interactor()),
      CachingRouter(interactor: Interactor())
    )
    let tree = Tree.launched(root, TreeConfiguration(leakDetection: .off, onMisuse: { _ in }))
    root.attachChild(parent)
    root.attachChild(sibling)
    var counts: [Int] = []
    _ = tree.events.subscribe(
      onNext: { event in if event.kind == .misuse { counts.append(tree.save().count) } }, onCompleted: {})
    parent.cached = [root, parent, sibling][which]
    parent.slot.route = 1
    #expect(counts == [3])
    tree.end()
  }
}
