import RIBs
import Testing

@testable import __Module__

@Suite("The interactor of __RIB__")
struct __RIB__InteractorTests {
  @Test("is active from activation to deactivation")
  func activity() {
    let interactor = __RIB__Interactor()
    #expect(!interactor.isActive)
    interactor.activate()
    #expect(interactor.isActive)
    interactor.deactivate()
    #expect(!interactor.isActive)
  }

  @Test("does not keep its router alive")
  func ownership() {
    let interactor = __RIB__Interactor()
    do {
      let router = __RIB__RoutingMock()
      interactor.router = router
    }
    #expect(interactor.router == nil)
  }
}
