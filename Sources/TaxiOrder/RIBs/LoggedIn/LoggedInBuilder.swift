// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol LoggedInDependency: AppDependency {
  /// LoggedIn has no view: it shows its children's views here.
  var loggedInViewController: any LoggedInViewControllable { get }
}

/// The dependencies of LoggedIn's children.
final class LoggedInComponent: Component<any LoggedInDependency>, AppDependencyForwarding, MapDependency,
  OrderDependency, HistoryDependency
{
  var appDependency: any AppDependency { dependency }
  var nearbyTaxisMode: any NearbyTaxisModeStream { mutableNearbyTaxisMode }
  var mutableNearbyTaxisMode: MutableNearbyTaxisModeStream { shared { MutableNearbyTaxisModeStream() } }
  var orderHistoryStream: any OrderHistoryStream { mutableOrderHistoryStream }
  var mutableOrderHistoryStream: MutableOrderHistoryStream { shared { MutableOrderHistoryStream() } }
}

protocol LoggedInBuildable: Buildable {
  func build(withListener listener: any LoggedInListener)
    -> (router: any LoggedInRouting, actionableItem: any LoggedInActionableItem)
}

/// Builds the part of the app for a rider who is logged in.
final class LoggedInBuilder: Builder<any LoggedInDependency>, LoggedInBuildable {
  func build(withListener listener: any LoggedInListener)
    -> (router: any LoggedInRouting, actionableItem: any LoggedInActionableItem)
  {
    let component = LoggedInComponent(dependency: dependency)
    let interactor = LoggedInInteractor(
      rider: component.rider, remoteRider: component.remoteRider, clock: component.clock,
      nearbyTaxisMode: component.mutableNearbyTaxisMode,
      orderHistoryStream: component.mutableOrderHistoryStream, ribCounter: component.ribCounter)
    let router = LoggedInRouter(
      interactor: interactor,
      viewController: component.dependency.loggedInViewController,
      mapBuilder: MapBuilder(dependency: component),
      orderBuilder: OrderBuilder(dependency: component),
      historyBuilder: HistoryBuilder(dependency: component))
    return (interactor.connect(to: router, listener: listener), interactor)
  }
}
