// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol MapDependency: AppDependency {
  var nearbyTaxisMode: any NearbyTaxisModeStream { get }
}

/// The dependencies of Map and its children.
final class MapComponent: Component<any MapDependency>, AppDependencyForwarding, NearbyTaxiDependency {
  var appDependency: any AppDependency { dependency }
  var mapViewController: any MapViewControllable { shared { MapViewController(narrator: dependency.narrator) } }
  var nearbyTaxisStream: MutableNearbyTaxisStream { shared { MutableNearbyTaxisStream() } }
}

protocol MapBuildable: Buildable {
  func build() -> any MapRouting
}

/// Builds the map with the taxis nearby.
final class MapBuilder: Builder<any MapDependency>, MapBuildable {
  func build() -> any MapRouting {
    let component = MapComponent(dependency: dependency)
    let view = component.mapViewController
    let worker = NearbyTaxisWorker(
      dispatchService: component.dispatchService, clock: component.clock,
      nearbyTaxisStream: component.nearbyTaxisStream)
    let interactor = MapInteractor(
      presenter: MapPresenter(viewController: view), nearbyTaxisWorker: worker,
      nearbyTaxisStream: component.nearbyTaxisStream, nearbyTaxisMode: component.dependency.nearbyTaxisMode,
      ribCounter: component.ribCounter)
    let router = MapRouter(
      interactor: interactor, viewController: view, nearbyTaxiBuilder: NearbyTaxiBuilder(dependency: component))
    interactor.router = router
    return router
  }
}
