// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("Test doubles", .folded)
struct DoubleTests {
  @Test("in place of the parent's interactor make children active at once")
  func interactor() {
    let test = TestTree(recording: [])
    let router = Router<any Interactable>(interactor: InteractableDouble())
    let child = ProbeRouter("child", in: test.transcript)
    child.attachChild(ProbeRouter("grandchild", in: test.transcript))
    router.attachChild(child)
    test.expect("child active true", "child didLoad", "grandchild active true", "grandchild didLoad")
    router.detachChild(child)
    test.expect("grandchild resigns true", "child resigns true")
    withExtendedLifetime(child) {}
  }

  @Test("of a router are activated, loaded and deactivated once, and listed as themselves")
  func router() {
    let parent = Router<any Interactable>(interactor: InteractableDouble())
    let interactor = InteractableDouble()
    let child = RoutingDouble(interactable: interactor)
    parent.attachChild(child)
    interactor.expect("activate()")
    child.expect("load()")
    #expect(parent.children.first === child)
    #expect(misuses { parent.attachChild(child) } == [.alreadyAttached])
    #expect(parent.children.count == 1)
    let erased: any Routing = child
    parent.detachChild(erased)
    interactor.expect("deactivate()")
    child.expect()
    #expect(parent.children.isEmpty)
    #expect(misuses { parent.detachChild(child) } == [.notAChild])
  }

  @Test("that are no interactors are refused, and the router's children stay inactive")
  func noInteractor() {
    var router: Router<Int>?
    #expect(misuses { router = Router(interactor: 1) } == [.notAnInteractor])
    // The stand-in for the interactor is always the same, and never becomes active.
    #expect(router?.interactable === router?.interactable)
    #expect(router?.interactable.isActive == false)
    let child = ProbeRouter("child")
    router?.attachChild(child)
    #expect(!child.interactor.isActive)
    #expect(misuses { _ = Router(interactor: child.interactor) } == [.notAnInteractor])
  }
}
