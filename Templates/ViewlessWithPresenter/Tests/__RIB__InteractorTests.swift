import RIBs
import RIBsTesting
import Testing

@testable import __Module__

@Suite("The interactor of __RIB__")
struct __RIB__InteractorTests {
  @Test("tells its listener when it has finished")
  func finish() {
    let test = TestTree(recording: .calls)
    let listener = __RIB__ListenerDouble()
    let interactor = __RIB__Interactor(presenter: __RIB__PresentableDouble())
    interactor.listener = listener
    test.launch(interactor: interactor)
    listener.expect()
    interactor.finish()
    listener.expect("__rib__DidFinish()")
    test.finish()
  }

  @Test("keeps neither its router nor its listener alive")
  func ownership() {
    let interactor = __RIB__Interactor(presenter: __RIB__PresentableDouble())
    do {
      let router = __RIB__RoutingDouble()
      let listener = __RIB__ListenerDouble()
      interactor.router = router
      interactor.listener = listener
    }
    #expect(interactor.router == nil)
    #expect(interactor.listener == nil)
  }
}
