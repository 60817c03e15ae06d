// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("Activating and deactivating by hand")
struct ByHandTests {
  private let test = TestTree(recording: [])

  @Test("lets its callback drop the router, which resigns then", arguments: ["active", "resign"])
  func dropRouter(_ callback: String) {
    var router: ProbeRouter? = ProbeRouter("root", in: test.transcript)
    let interactor = router?.interactor
    interactor?.onActive = { _ in if callback == "active" { router = nil } }
    interactor?.onResign = { _ in router = nil }
    interactor?.activate()
    interactor?.deactivate()
    #expect(router == nil)
    if callback == "active" {
      test.expect("root active true", "root deinit", "root resigns true")
    } else {
      test.expect("root active true", "root resigns true", "root deinit")
    }
  }

  @Test("lets its callback detach the router, also from its only owner", arguments: ["active", "resign"])
  func detach(_ callback: String) {
    let root = ProbeRouter("root", in: test.transcript)
    root.start()
    root.attachChild(ProbeRouter("child", in: test.transcript))
    let interactor = (root.children.first as? ProbeRouter)?.interactor
    let detach: (ProbeInteractor) -> Void = { _ in
      if let child = root.children.first { root.detachChild(child) }
    }
    if callback == "active" {
      interactor?.deactivate()
      interactor?.onActive = detach
      test.skip()
      interactor?.activate()
      test.expect("child active true", "child resigns true", "child deinit")
    } else {
      interactor?.onResign = detach
      test.skip()
      interactor?.deactivate()
      test.expect("child resigns true", "child deinit")
    }
    #expect(root.children.isEmpty)
  }

  @Test("keeps the ID of a RIB and of those below it, also while its tree ends", .folded)
  func sameID() throws {
    let test = TestTree(recording: [])
    let root = test.launch(ProbeRouter("root"))
    let (parent, child, last) = (ProbeRouter("parent"), ProbeRouter("child"), ProbeRouter("last"))
    child.attachChild(ProbeRouter("grandchild"))
    root.attachChild(parent)
    parent.attachChild(child)
    root.attachChild(last)
    let ids = StreamRecorder(try #require(test.tree).events.filter { $0.kind == .activated }.map(\.node))
    // Resigns first, while the root resigns and its other child is still active.
    last.interactor.onResign = { _ in
      child.interactor.deactivate()
      child.interactor.activate()
    }
    let expected = [child.nodeID, child.children.first?._node?.takeUnretainedValue().nodeID]
    #expect(!expected.contains(nil))
    child.interactor.deactivate()
    child.interactor.activate()
    test.finish()
    #expect(ids.values == expected + expected)
    ids.stop()
  }

  @Test("a launch router says once what to launch instead, and is active")
  func launch() {
    let journal = Journal()
    let router = LaunchRouter(interactor: Interactor(), viewController: ViewControllableDouble())
    withMisuseHandler({ journal.write("\($0.severity) \($0.advice)") }) { router.launch() }
    journal.expect("warning Launch it with Tree(root: router).launch(), and keep the Tree; a server uses a TreeHost.")
    #expect(router.interactor.isActive)
    router.interactor.deactivate()
  }
}
