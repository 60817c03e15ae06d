import Testing

@testable import RIBs

@Suite("Activating and deactivating by hand")
struct ByHandTests {
  @Test("lets its callback drop the router, which resigns then", arguments: ["active", "resign"])
  func dropRouter(_ callback: String) {
    let log = Log()
    var router: ProbeRouter? = ProbeRouter("root", log)
    let interactor = router?.interactor
    interactor?.onActive = { _ in if callback == "active" { router = nil } }
    interactor?.onResign = { _ in router = nil }
    interactor?.activate()
    interactor?.deactivate()
    #expect(router == nil)
    let end = ["root resigns true", "root deinit"]
    #expect(log.lines == ["root active true"] + (callback == "active" ? end.reversed() : end))
  }

  @Test("lets its callback detach the router, also from its only owner", arguments: ["active", "resign"])
  func detach(_ callback: String) {
    let log = Log()
    let root = ProbeRouter("root", log)
    root.interactor.activate()
    root.load()
    root.attachChild(ProbeRouter("child", log))
    let interactor = (root.children.first as? ProbeRouter)?.interactor
    let detach: (ProbeInteractor) -> Void = { _ in
      if let child = root.children.first { root.detachChild(child) }
    }
    if callback == "active" {
      interactor?.deactivate()
      interactor?.onActive = detach
      log.lines = []
      interactor?.activate()
      #expect(log.lines == ["child active true", "child resigns true", "child deinit"])
    } else {
      interactor?.onResign = detach
      log.lines = []
      interactor?.deactivate()
      #expect(log.lines == ["child resigns true", "child deinit"])
    }
    #expect(root.children.isEmpty)
  }
}
