import RIBs
import Testing

@Suite("Test doubles")
struct DoubleTests {
  final class InteractableMock: Interactable {
    private(set) var calls: [String] = []
    let isActive = false
    var isActiveStream: Observable<Bool> { .never() }
    func activate() { calls.append("activate") }
    func deactivate() { calls.append("deactivate") }
  }

  final class RoutingMock: Routing {
    let mock = InteractableMock()
    private(set) var loadCount = 0
    var interactable: any Interactable { mock }
    var children: [any Routing] { [] }
    var lifecycle: Observable<RouterLifecycle> { .never() }
    func load() { loadCount += 1 }
    func attachChild(_ child: any Routing) {}
    func detachChild(_ child: any Routing) {}
  }

  @Test("in place of the parent's interactor make children active at once")
  func interactor() {
    let router = Router<any Interactable>(interactor: InteractableMock())
    let log = Log()
    let child = ProbeRouter("child", log)
    child.attachChild(ProbeRouter("grandchild", log))
    router.attachChild(child)
    #expect(log.lines == ["child active true", "child didLoad", "grandchild active true", "grandchild didLoad"])
    log.lines = []
    router.detachChild(child)
    #expect(log.lines == ["grandchild resigns true", "child resigns true"])
  }

  @Test("of a router are activated, loaded and deactivated once, and listed as themselves")
  func router() {
    let parent = Router<any Interactable>(interactor: InteractableMock())
    let child = RoutingMock()
    parent.attachChild(child)
    #expect(child.mock.calls == ["activate"])
    #expect(child.loadCount == 1)
    #expect(parent.children.first === child)
    #expect(misuses { parent.attachChild(child) } == [.alreadyAttached])
    #expect(parent.children.count == 1)
    let erased: any Routing = child
    parent.detachChild(erased)
    #expect(child.mock.calls == ["activate", "deactivate"])
    #expect(parent.children.isEmpty)
    #expect(misuses { parent.detachChild(child) } == [.notAChild])
  }

  @Test("that are no interactors are refused, and the router's children stay inactive")
  func noInteractor() {
    var router: Router<Int>?
    #expect(misuses { router = Router(interactor: 1) } == [.notAnInteractor])
    let child = ProbeRouter("child")
    router?.attachChild(child)
    #expect(!child.interactor.isActive)
    #expect(misuses { _ = Router(interactor: child.interactor) } == [.notAnInteractor])
  }
}
