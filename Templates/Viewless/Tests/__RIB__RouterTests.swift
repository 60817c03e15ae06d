import RIBs
import Testing

@testable import __Module__

@Suite("The router of __RIB__")
struct __RIB__RouterTests {
  private let dependency = __RIB__DependencyMock()
  private let listener = __RIB__ListenerMock()

  @Test("is built with an interactor that knows it")
  func building() throws {
    let router = __RIB__Builder(dependency: dependency).build(withListener: listener)
    let interactor = try #require(router.interactable as? __RIB__Interactor)
    #expect(interactor.router === router)
    #expect(interactor.listener === listener)
  }

  @Test("is active while it is attached, and is released afterwards")
  func attaching() {
    let parent = Router(interactor: Interactor())
    parent.interactable.activate()
    weak var released: (any __RIB__Routing)?
    do {
      let router = __RIB__Builder(dependency: dependency).build(withListener: listener)
      released = router
      parent.attachChild(router)
      #expect(router.interactable.isActive)
      parent.detachChild(router)
      #expect(!router.interactable.isActive)
    }
    #expect(released == nil)
  }
}
