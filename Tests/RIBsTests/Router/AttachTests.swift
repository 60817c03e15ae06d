// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("Attaching and detaching", .folded)
struct AttachTests {
  private let test = TestTree(recording: [])

  private func probe(_ name: String) -> ProbeRouter { ProbeRouter(name, in: test.transcript) }

  /// The root of a tree.
  private func launch() -> ProbeRouter {
    let parent = test.launch(probe("parent"))
    test.expect("parent active true", "parent didLoad")
    return parent
  }

  @Test("activates and loads a child once, and lists it")
  func attach() {
    let parent = launch()
    parent.attachChild(probe("child"))
    #expect(parent.childNames == ["child"])
    test.expect("child active true", "child didLoad")
    test.finish(expecting: "child resigns true", "parent resigns true")
  }

  @Test("activates and loads a grandchild once, after its parent is loaded")
  func attachSubtree() {
    let parent = launch()
    let child = probe("child")
    child.onLoad = { $0.attachChild(self.probe("late")) }
    child.attachChild(probe("grandchild"))
    parent.attachChild(child)
    test.expect(
      """
      child active true
      child didLoad
      late active true
      late didLoad
      grandchild active true
      grandchild didLoad
      """)
    test.finish(expecting: "late resigns true", "grandchild resigns true", "child resigns true", "parent resigns true")
  }

  @Test("resigns a detached subtree, children first and the last attached first, and keeps it whole")
  func detach() {
    let parent = launch()
    let child = probe("child")
    child.attachChild(probe("first"))
    child.attachChild(probe("second"))
    parent.attachChild(child)
    test.skip()
    parent.detachChild(child)
    test.expect("second resigns true", "first resigns true", "child resigns true")
    #expect(parent.children.isEmpty)
    #expect(child.childNames == ["first", "second"])
    parent.attachChild(child)
    test.expect("child active true", "first active true", "second active true")
    test.finish(expecting: "second resigns true", "first resigns true", "child resigns true", "parent resigns true")
  }

  @Test("only links a child under a parent that is not active; it becomes active with the parent")
  func inactiveParent() {
    let parent = probe("parent")
    parent.attachChild(probe("child"))
    test.expect()
    parent.interactor.activate()
    test.expect("parent active true")
    parent.load()
    test.expect("parent didLoad", "child active true", "child didLoad")
  }

  @Test("does not load a child that is detached in its own didBecomeActive, until it is attached again")
  func selfDetach() {
    let parent = launch()
    let child = probe("child")
    child.attachChild(probe("grandchild"))
    child.interactor.onActive = { [unowned child] _ in parent.detachChild(child) }
    parent.attachChild(child)
    test.expect("child active true", "child resigns true")
    #expect(parent.children.isEmpty)
    child.interactor.onActive = { _ in }
    parent.attachChild(child)
    test.expect("child active true", "child didLoad", "grandchild active true", "grandchild didLoad")
    test.finish(expecting: "grandchild resigns true", "child resigns true", "parent resigns true")
  }

  @Test("calls didLoad after all when the child was detached while its lifecycle was emitted")
  func detachWhileLoading() {
    let parent = launch()
    let child = probe("child")
    var isFirst = true
    let subscription = child.lifecycle.subscribe { [test, unowned child] _ in
      test.transcript.write("lifecycle")
      if isFirst { parent.detachChild(child) }
      isFirst = false
    }
    parent.attachChild(child)
    test.expect("child active true", "lifecycle", "child resigns true")
    parent.attachChild(child)
    test.expect("child active true", "child didLoad")
    subscription.dispose()
    test.finish(expecting: "child resigns true", "parent resigns true")
  }

  @Test("does not activate a sibling that was detached before its turn")
  func detachSibling() {
    let parent = probe("parent")
    let (first, second) = (probe("first"), probe("second"))
    parent.attachChild(first)
    parent.attachChild(second)
    first.interactor.onActive = { _ in parent.detachChild(second) }
    test.launch(parent)
    test.expect("parent active true", "parent didLoad", "first active true", "first didLoad")
    #expect(!second.interactor.isActive)
    withExtendedLifetime(second) { test.finish(expecting: "first resigns true", "parent resigns true") }
  }

  @Test("only links what is attached under a parent that resigns")
  func attachWhileResigning() {
    let parent = launch()
    parent.interactor.onResign = { [unowned parent] _ in parent.attachChild(self.probe("late")) }
    parent.interactor.deactivate()
    test.expect("parent resigns true")
    #expect(parent.childNames == ["late"])
    test.finish()
  }

  @Test("completes a detach from inside the resigning subtree after the callback")
  func detachWhileResigning() {
    let parent = launch()
    let child = probe("child")
    child.expectsReattachment = true
    parent.attachChild(child)
    test.skip()
    child.interactor.onResign = { [test, unowned child] _ in
      parent.detachChild(child)
      #expect(parent.childNames == ["child"])
      parent.attachChild(child)
      #expect(test.takeMisuses().map(\.kind) == [.alreadyAttached])
    }
    child.interactor.deactivate()
    #expect(parent.children.isEmpty)
    test.expect("child resigns true")
    withExtendedLifetime(child) { test.finish(expecting: "parent resigns true") }
  }

  @Test("refuses what would break the tree, and leaves it as it was")
  func refusals() {
    let (parent, child, other) = (ProbeRouter("parent"), ProbeRouter("child"), ProbeRouter("other"))
    parent.interactor.activate()
    parent.load()
    parent.attachChild(child)
    #expect(misuses { parent.attachChild(child) } == [.alreadyAttached])
    #expect(misuses { other.attachChild(child) } == [.alreadyAttached])
    #expect(misuses { other.detachChild(child) } == [.notAChild])
    #expect(misuses { other.attachChild(other) } == [.cycle])
    #expect(misuses { other.attachChild(parent) } == [.alreadyActive])
    let below = ProbeRouter("below")
    other.attachChild(below)
    #expect(misuses { below.attachChild(other) } == [.cycle])
    #expect(misuses { below.interactor.activate() } == [.inactiveParent])
    #expect(parent.childNames == ["child"])
    #expect(other.childNames == ["below"])
    #expect(child.interactor.isActive)
    #expect(!below.interactor.isActive)
  }

  @Test("emits once in lifecycle that the router loads, replays nothing, and completes when the router is released")
  func lifecycle() throws {
    var router: ProbeRouter? = ProbeRouter("router")
    let received = StreamRecorder(try #require(router?.lifecycle))
    received.expect()
    router?.load()
    router?.load()
    received.expect(.didLoad)
    let late = StreamRecorder(try #require(router?.lifecycle))
    #expect(!received.hasEnded)
    router = nil
    received.expect()
    late.expect()
    #expect(received.hasEnded && late.hasEnded)
  }
}
