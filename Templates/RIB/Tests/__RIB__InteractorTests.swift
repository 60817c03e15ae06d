import RIBs
import RIBsTesting
import Testing

@testable import __Module__

@Suite("The interactor of __RIB__")
struct __RIB__InteractorTests {
#if __Root__
  @Test("is active while its tree runs")
  func activity() {
    let test = TestTree()
#if __Presenter__
    let interactor = __RIB__Interactor(presenter: __RIB__PresentableDouble())
#else
    let interactor = __RIB__Interactor()
#endif
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
#else
  @Test("tells its listener when it has finished")
  func finish() {
    let test = TestTree(recording: .calls)
    let listener = __RIB__ListenerDouble()
#if __View__ || __Presenter__
    let interactor = __RIB__Interactor(presenter: __RIB__PresentableDouble())
#else
    let interactor = __RIB__Interactor()
#endif
    interactor.listener = listener
    test.launch(interactor: interactor)
    listener.expect()
    interactor.finish()
    listener.expect("__rib__DidFinish()")
    test.finish()
  }

#if __View__
  @Test("finishes when its view says so")
  func finishFromView() {
    let test = TestTree(recording: .calls)
    let presenter = __RIB__PresentableDouble()
    let listener = __RIB__ListenerDouble()
    let interactor = __RIB__Interactor(presenter: presenter)
    interactor.listener = listener
    test.launch(interactor: interactor)
    presenter.listener?.finish()
    listener.expect("__rib__DidFinish()")
    test.finish()
  }

#endif
  @Test("keeps neither its router nor its listener alive")
  func ownership() {
#endif
#if __View__ || __Presenter__
    let interactor = __RIB__Interactor(presenter: __RIB__PresentableDouble())
#else
    let interactor = __RIB__Interactor()
#endif
    do {
      let router = __RIB__RoutingDouble()
#if !__Root__
      let listener = __RIB__ListenerDouble()
#endif
      interactor.router = router
#if !__Root__
      interactor.listener = listener
#endif
    }
    #expect(interactor.router == nil)
#if !__Root__
    #expect(interactor.listener == nil)
#endif
  }
}
