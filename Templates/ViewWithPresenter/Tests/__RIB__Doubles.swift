import RIBs
import RIBsTesting

@testable import __Module__

final class __RIB__DependencyDouble: __RIB__Dependency {}

final class __RIB__ListenerDouble: ListenerDouble, __RIB__Listener {
  func __rib__DidFinish() { record() }
}

final class __RIB__RoutingDouble: ViewableRoutingDouble, __RIB__Routing {}

final class __RIB__PresentableDouble: PresentableDouble, __RIB__Presentable {
  weak var listener: (any __RIB__PresentableListener)?
}
