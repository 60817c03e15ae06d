import RIBs

@testable import __Module__

final class __RIB__DependencyMock: __RIB__Dependency {}

final class __RIB__ListenerMock: __RIB__Listener {
  private(set) var __rib__DidFinishCallCount = 0

  func __rib__DidFinish() { __rib__DidFinishCallCount += 1 }
}

final class __RIB__RoutingMock: ViewableRouter<Interactor, __RIB__ViewController>, __RIB__Routing {
  init() { super.init(interactor: Interactor(), viewController: __RIB__ViewController()) }
}

final class __RIB__PresentableMock: __RIB__Presentable {
  weak var listener: (any __RIB__PresentableListener)?
}
