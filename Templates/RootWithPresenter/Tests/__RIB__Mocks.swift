import RIBs

@testable import __Module__

final class __RIB__DependencyMock: __RIB__Dependency {}

final class __RIB__RoutingMock: Router<Interactor>, __RIB__Routing {
  init() { super.init(interactor: Interactor()) }
}

final class __RIB__PresentableMock: __RIB__Presentable {}
