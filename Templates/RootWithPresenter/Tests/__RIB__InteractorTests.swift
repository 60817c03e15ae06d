import RIBs
import RIBsTesting
import Testing

@testable import __Module__

@Suite("The interactor of __RIB__")
struct __RIB__InteractorTests {
  @Test("is active while its tree runs")
  func activity() {
    let test = TestTree()
    let interactor = __RIB__Interactor(presenter: __RIB__PresentableDouble())
    test.launch(interactor: interactor)
    test.settle()
    test.expect(
      """
      __RIB__ attached
      __RIB__ active
      __RIB__ loaded
      """)
    #expect(interactor.isActive)
    test.finish()
    #expect(!interactor.isActive)
  }

  @Test("does not keep its router alive")
  func ownership() {
    let interactor = __RIB__Interactor(presenter: __RIB__PresentableDouble())
    do {
      let router = __RIB__RoutingDouble()
      interactor.router = router
    }
    #expect(interactor.router == nil)
  }
}
