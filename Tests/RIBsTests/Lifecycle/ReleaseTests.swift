// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("The release of routers")
struct ReleaseTests {
  private let test = TestTree(recording: [])

  private func probe(_ name: String) -> ProbeRouter { ProbeRouter(name, in: test.transcript) }

  @Test("that are still active makes the subtree resign first, children before parents")
  func whileActive() {
    do {
      let parent = probe("parent")
      parent.attachChild(probe("first"))
      parent.attachChild(probe("second"))
      parent.start()
      withExtendedLifetime(parent) { test.skip() }
    }
    test.expect(
      """
      parent deinit
      second resigns true
      first resigns true
      parent resigns true
      first deinit
      first gone
      second deinit
      second gone
      parent gone
      """)
  }

  @Test("leaves a child intact that other code holds, with its children")
  func childHeldElsewhere() {
    var parent: ProbeRouter? = probe("parent")
    let child = probe("child")
    child.attachChild(probe("grandchild"))
    parent?.attachChild(child)
    parent = nil
    test.expect("parent deinit", "parent gone")
    #expect(child.childNames == ["grandchild"])
    let other = probe("other")
    other.attachChild(child)
    #expect(other.childNames == ["child"])
  }

  @Test("may attach a sibling that waits for its release elsewhere")
  func siblingMovesDuringRelease() {
    let home = probe("home")
    home.start()
    var parent: ProbeRouter? = probe("parent")
    let second = probe("second")
    // Not inlined, so that nothing here holds a child for longer than it takes to attach it.
    @inline(never)
    func attach(_ name: String, onDeinit: @escaping () -> Void = {}) {
      let child = probe(name)
      child.onDeinit = onDeinit
      parent?.attachChild(child)
    }
    attach("first") { home.attachChild(second) }
    parent?.attachChild(second)
    attach("third")
    parent = nil
    #expect(home.childNames == ["second"])
    test.expect(
      """
      home active true
      home didLoad
      parent deinit
      first deinit
      second active true
      second didLoad
      first gone
      third deinit
      third gone
      parent gone
      """)
  }

  @Test(
    "of one that became active while it waited for its release makes it resign, and ends before that of its children")
  func activatedWhileWaiting() {
    var parent: ProbeRouter? = probe("parent")
    weak var waiting: ProbeRouter?
    // Not inlined, so that nothing here holds a child.
    @inline(never)
    func attachChildren() {
      let (first, second) = (probe("first"), probe("second"))
      waiting = second
      first.onDeinit = { waiting?.interactor.activate() }
      for child in [first, second] { parent?.attachChild(child) }
      second.attachChild(probe("grandchild"))
      second.load()
    }
    attachChildren()
    parent = nil
    test.expect(
      """
      second didLoad
      parent deinit
      first deinit
      second active true
      grandchild active true
      grandchild didLoad
      first gone
      second deinit
      grandchild resigns true
      second resigns true
      second gone
      grandchild deinit
      grandchild gone
      parent gone
      """)
  }

  @Test("of a parent in a callback of its last resigning child makes the parent resign first, once")
  func parentDroppedByChild() {
    var parent: ProbeRouter? = probe("parent")
    let child = probe("child")
    parent?.attachChild(probe("sibling"))
    parent?.attachChild(child)
    parent?.start()
    test.skip()
    child.interactor.onResign = { _ in parent = nil }
    child.interactor.deactivate()
    test.expect(
      """
      child resigns true
      parent deinit
      sibling resigns true
      parent resigns true
      sibling deinit
      sibling gone
      parent gone
      """)
    child.interactor.onResign = { _ in }
    let other = probe("other")
    other.start()
    other.attachChild(child)
    #expect(child.interactor.isActive)
    child.interactor.deactivate()
    #expect(other.childNames == ["child"])
  }

  @Test("of a parent in its own callback, called because its child has resigned, waits for the callback")
  func parentDroppedByItself() {
    var parent: ProbeRouter? = probe("parent")
    let child = probe("child")
    parent?.attachChild(child)
    parent?.start()
    test.skip()
    child.interactor.onResign = { _ in parent?.interactor.deactivate() }
    parent?.interactor.onResign = { interactor in
      parent = nil
      test.transcript.write("still \(interactor.name)")
    }
    child.interactor.deactivate()
    test.expect(
      """
      child resigns true
      parent resigns true
      still parent
      parent deinit
      parent gone
      """)
  }

  @Test("completes their lifecycle streams, which have emitted once that the router loads, and replay nothing")
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
