// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("A container whose closure returns a child that is attached", .folded)
struct AttachedChildTests {
  enum Container: CaseIterable { case slot, stack, releasingStack, list }

  @Test("refuses it, reports it once, and stays empty", arguments: Container.allCases)
  func refused(_ container: Container) throws {
    let test = TestTree()
    let router = test.launch(Scripted.RootRouter())
    let cached = SupervisedRouter("cached", .never, SupervisedWorld())
    router.attachChild(cached)
    test.skip()
    let slot = ChildSlot<Int>(of: router) { _, _ in cached }
    let stack = ChildStack<Int>(of: router, covered: container == .stack ? .kept : .released) { _, _ in cached }
    let list = ChildList<SupervisedModel>(of: router) { _, _ in cached }
    switch container {
    case .slot: slot.route = 1
    case .stack, .releasingStack: stack.push(1)
    case .list: try list.update([SupervisedModel(id: "a")])
    }
    #expect(test.takeMisuses().map(\.kind) == [.alreadyAttached])
    test.skip()
    #expect(list.count == 0)
    #expect(slot.child == nil && stack.child == nil)
    #expect(router.children.count == 1)
    cached.expectsReattachment = true
    router.detachChild(cached)
    test.skip()
    test.finish()
  }
}
