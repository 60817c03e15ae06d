import RIBs
import RIBsTesting

@testable import __Module__

final class __RIB__DependencyDouble: __RIB__Dependency {}

#if !__Root__
final class __RIB__ListenerDouble: ListenerDouble, __RIB__Listener {
  func __rib__DidFinish() { record() }
}

#endif
#if __View__
final class __RIB__RoutingDouble: ViewableRoutingDouble, __RIB__Routing {}

final class __RIB__PresentableDouble: PresentableDouble, __RIB__Presentable {
  weak var listener: (any __RIB__PresentableListener)?
}
#else
final class __RIB__RoutingDouble: RoutingDouble, __RIB__Routing {}
#if __Presenter__

final class __RIB__PresentableDouble: PresentableDouble, __RIB__Presentable {}
#endif
#endif
