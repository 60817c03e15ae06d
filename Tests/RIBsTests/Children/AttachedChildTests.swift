// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import Testing

/// A router whose containers return a child that is attached already.
private final class CachingRouter: Router<Interactor> {
  final class CachedRouter: Router<Interactor>, ModelRouting {
    func didUpdate(to model: Row, from previous: Row) {}
  }

  let cached = CachedRouter(interactor: Interactor())
  lazy var list = ChildList<Row>(of: self) { router, _ in router.cached }
  lazy var slot = ChildSlot<Int>(of: self) { router, _ in router.cached }
  lazy var stack = ChildStack<Int>(of: self, covered: .kept) { router, _ in router.cached }
  lazy var releasingStack = ChildStack<Int>(of: self, covered: .released) { router, _ in router.cached }

  init() {
    super.init(interactor: Interactor())
    cached.expectsReattachment = true
  }
}

@Suite("A container whose closure returns a child that is attached", .folded)
struct AttachedChildTests {
  enum Container: CaseIterable { case slot, stack, releasingStack, list }

  @Test("refuses it, reports it once, and stays empty", arguments: Container.allCases)
  func refused(_ container: Container) throws {
    let test = TestTree()
    let router = test.launch(CachingRouter())
    router.attachChild(router.cached)
    test.skip()
    switch container {
    case .slot: router.slot.route = 1
    case .stack: router.stack.push(1)
    case .releasingStack: router.releasingStack.push(1)
    case .list: try router.list.update([1])
    }
    #expect(test.takeMisuses().map(\.kind) == [.alreadyAttached])
    test.skip()
    #expect(router.list.count == 0)
    #expect(router.slot.child == nil && router.stack.child == nil && router.releasingStack.child == nil)
    #expect(router.children.count == 1)
    router.detachChild(router.cached)
    test.skip()
    test.finish()
  }
}
