// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("The active children of an interactor", .folded)
struct ActiveChildrenTests {
  private let scene = Scene()
  private var test: TestTree { scene.test }

  private final class Guest: Interactor {}

  @Test("are those of the type, then each that becomes active, until the end of the tree")
  func children() {
    let (root, child, leaf) = (scene.root, scene.child, scene.leaf)
    let guest = Router(interactor: Guest())
    guest.expectsReattachment = true
    root.attachChild(guest)
    root.attachChild(child)
    let children = StreamRecorder(root.interactor.activeChildren(as: Scripted.Interactor.self))
    let guests = StreamRecorder(root.interactor.activeChildren(as: Guest.self))
    #expect(children.values.map(ObjectIdentifier.init) == [ObjectIdentifier(child.interactor)])
    // A grandchild is no child.
    child.attachChild(leaf)
    root.detachChild(guest)
    root.attachChild(guest)
    #expect(children.values.count == 1 && guests.values.count == 2)
    child.detachChild(leaf)
    root.attachChild(leaf)
    #expect(children.values.last === leaf.interactor)
    guests.stop()
    #expect(!children.hasEnded)
    test.tree?.end()
    #expect(children.hasEnded && !guests.hasEnded)
    test.skip()
    test.finish()
  }

  @Test("let a workflow wait until a child appears")
  func step() {
    let child = scene.child
    test.start(
      RideWorkflow(scene.write)
        .onStep { root in await root.activeChildren(as: Scripted.Interactor.self).map { ($0, ()) }.first() }
        .onStep { [scene] item, _ in (item, scene.write("at child \(item === child.interactor)")) }
        .commit(), with: scene.root.interactor)
    test.settle()
    test.expect()
    scene.root.attachChild(child)
    test.settle()
    test.expect(
      """
      Root RideWorkflow step ended
      at child true
      Root/Child RideWorkflow step ended
      didComplete
      workflow gone
      """)
    test.finish()
  }

  @Test("complete at once outside a tree")
  func outside() {
    let interactor = Scripted.Interactor()
    #expect(StreamRecorder(interactor.activeChildren(as: Guest.self)).hasEnded)
    let router = Scripted.RootRouter()
    router.attachChild(Scripted.ChildRouter())
    router.interactor.activate()
    let children = StreamRecorder(router.interactor.activeChildren(as: Interactor.self))
    #expect(children.hasEnded)
    test.finish()
  }
}
