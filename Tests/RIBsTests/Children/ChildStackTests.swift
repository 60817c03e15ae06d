// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A stack", .folded)
struct ChildStackTests {
  private let test = TestTree(recording: [])

  @Test("keeps covered children, detached and inactive, attaches them again, and empties itself")
  func kept() {
    let parent = test.launchContainers()
    parent.stack.push("a")
    parent.stack.push("b")
    #expect(parent.stack.routes == ["a", "b"])
    #expect(parent.childNames == ["b"])
    test.expect("build a", "a active true", "a didLoad", "build b", "a resigns true", "b active true", "b didLoad")
    #expect(parent.stack.pop() == "b")
    #expect(parent.childNames == ["a"])
    test.expect("b resigns true", "b deinit", "b gone", "a active true")
    parent.stack.push("b")
    test.skip()
    parent.stack.removeAll()
    #expect(parent.stack.top == nil)
    #expect(parent.childNames.isEmpty)
    test.expect("a deinit", "a gone", "b resigns true", "b deinit", "b gone")
    #expect(parent.stack.pop() == nil)
    test.finish(parent)
  }

  @Test("releases covered children if asked to, and rebuilds them before it uncovers them")
  func released() {
    let parent = test.launchContainers(.released)
    parent.stack.push("a")
    test.skip()
    parent.stack.push("b")
    test.expect("build b", "a resigns true", "a deinit", "a gone", "b active true", "b didLoad")
    parent.stack.pop()
    test.expect("build a", "b resigns true", "b deinit", "b gone", "a active true", "a didLoad")
    #expect(parent.childNames == ["a"])
    test.finish(parent)
  }

  @Test("pops to the highest of equal routes, and says when there is none")
  func popTo() {
    let parent = test.launchContainers()
    for route in ["a", "b", "a", "c", "d"] { parent.stack.push(route) }
    test.skip()
    #expect(parent.stack.pop(to: "a"))
    #expect(parent.stack.routes == ["a", "b", "a"])
    #expect(parent.childNames == ["a"])
    #expect(!parent.stack.pop(to: "x"))
    #expect(parent.stack.routes == ["a", "b", "a"])
    test.expect("c deinit", "c gone", "d resigns true", "d deinit", "d gone", "a active true")
    test.finish(parent)
  }

  @Test("replaces what is on top, or pushes on an empty stack, and does nothing with a route that is on top already")
  func replace() {
    let parent = test.launchContainers()
    parent.stack.replace(with: "a")
    parent.stack.push("a")
    parent.stack.replace(with: "a")
    parent.stack.bringToFront("a")
    #expect(parent.stack.routes == ["a"])
    test.expect("build a", "a active true", "a didLoad")
    parent.stack.push("b")
    test.skip()
    parent.stack.replace(with: "c")
    #expect(parent.stack.routes == ["a", "c"])
    #expect(parent.childNames == ["c"])
    test.expect("build c", "b resigns true", "b deinit", "b gone", "c active true", "c didLoad")
    test.finish(parent)
  }

  @Test("follows changes made in callbacks when those have returned, and comes back to a child that was on its way out")
  func changesInside() {
    let parent = test.launchContainers()
    parent.onBuild = { router, child in
      if child.name == "a" { child.interactor.onResign = { _ in router.stack.pop() } }
    }
    parent.stack.push("a")
    test.skip()
    parent.stack.push("b")
    #expect(parent.stack.routes == ["a"])
    #expect(parent.childNames == ["a"])
    test.expect("build b", "a resigns true", "b deinit", "b gone", "a active true")
    parent.stack.removeAll()
    test.expect("a resigns true", "a deinit", "a gone")
    test.finish(parent)
  }

  @Test("rebuilds a child that is covered and uncovered while it resigns with its router")
  func whileResigning() {
    let parent = test.launchContainers()
    parent.onBuild = { router, child in
      guard child.name == "a" else { return }
      child.interactor.onResign = { interactor in
        interactor.onResign = { _ in }
        router.onBuild = { _, _ in }
        router.stack.push("b")
        router.stack.pop()
      }
    }
    parent.stack.push("a")
    test.skip()
    parent.interactor.deactivate()
    #expect(parent.childNames == ["a"])
    parent.interactor.activate()
    test.expect(
      """
      a resigns true
      build b
      b deinit
      b gone
      build a
      a deinit
      a gone
      parent resigns true
      parent active true
      a active true
      a didLoad
      """)
    test.finish(parent)
  }

  @Test("keeps the route of a child that other code has detached, and rebuilds it at the top")
  func detachedByHand() throws {
    let parent = test.launchContainers()
    parent.stack.push("a")
    try parent.detachChild(#require(parent.stack.child))
    #expect(parent.stack.routes == ["a"])
    #expect(parent.stack.child == nil)
    parent.stack.push("b")
    test.skip()
    parent.stack.pop()
    test.expect("build a", "b resigns true", "b deinit", "b gone", "a active true", "a didLoad")
    try parent.detachChild(#require(parent.stack.child))
    parent.stack.push("a")
    #expect(parent.childNames == ["a"])
    #expect(parent.stack.routes == ["a", "a"])
    test.expect("a resigns true", "a deinit", "a gone", "build a", "a active true", "a didLoad")
    test.finish(parent)
  }

  @Test("does as the last asks when its builder changes it")
  func changedWhileBuilding() {
    let parent = test.launchContainers()
    parent.onBuild = { router, child in
      if child.name == "a" { router.stack.push("b") }
    }
    parent.stack.push("a")
    #expect(parent.stack.routes == ["b", "a"])
    #expect(parent.childNames == ["a"])
    test.expect(
      """
      build a
      build b
      b active true
      b didLoad
      b resigns true
      a active true
      a didLoad
      """)
    test.finish(parent)
  }

  @Test("detaches and releases all when it goes, or its router does")
  func goes() {
    var parent: ContainerRouter? = ContainerRouter(in: test.transcript)
    parent?.start()
    parent?.stack.push("a")
    parent?.stack.push("b")
    test.skip()
    if let router = parent { router.stack = ChildStack(of: router, covered: .kept) { _, name in ProbeRouter(name) } }
    #expect(parent?.childNames == [])
    test.expect("b resigns true", "a deinit", "a gone", "b deinit", "b gone")
    parent?.stack.push("c")
    let stack = parent?.stack
    parent = nil
    #expect(stack?.child == nil)
    stack?.push("d")
    #expect(stack?.child == nil)
  }
}
