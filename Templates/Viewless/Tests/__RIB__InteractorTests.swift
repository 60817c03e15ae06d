import RIBs
import Testing

@testable import __Module__

@Suite("The interactor of __RIB__")
struct __RIB__InteractorTests {
  @Test("tells its listener when it has finished")
  func finish() {
    let interactor = __RIB__Interactor()
    let listener = __RIB__ListenerMock()
    interactor.listener = listener
    interactor.activate()
    #expect(listener.__rib__DidFinishCallCount == 0)
    interactor.finish()
    #expect(listener.__rib__DidFinishCallCount == 1)
  }

  @Test("keeps neither its router nor its listener alive")
  func ownership() {
    let interactor = __RIB__Interactor()
    do {
      let router = __RIB__RoutingMock()
      let listener = __RIB__ListenerMock()
      interactor.router = router
      interactor.listener = listener
    }
    #expect(interactor.router == nil)
    #expect(interactor.listener == nil)
  }
}
