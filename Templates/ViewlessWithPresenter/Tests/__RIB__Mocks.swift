import RIBs

@testable import __Module__

final class __RIB__DependencyMock: __RIB__Dependency {}

final class __RIB__ListenerMock: __RIB__Listener {
  private(set) var __rib__DidFinishCallCount = 0

  func __rib__DidFinish() { __rib__DidFinishCallCount += 1 }
}

final class __RIB__RoutingMock: Router<Interactor>, __RIB__Routing {
  init() { super.init(interactor: Interactor()) }
}

final class __RIB__PresentableMock: __RIB__Presentable {}
