import RIBs
import RIBsTesting

@testable import __Module__

final class __RIB__DependencyDouble: __RIB__Dependency {}

final class __RIB__RoutingDouble: RoutingDouble, __RIB__Routing {}

final class __RIB__PresentableDouble: PresentableDouble, __RIB__Presentable {}
