// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsLists

protocol NearbyTaxiDependency: Dependency {
  var ribCounter: RIBCounter { get }
  /// The map on which it shows a pin.
  var mapViewController: any MapViewControllable { get }
}

/// What NearbyTaxi provides to its children: it has none.
final class NearbyTaxiComponent: Component<any NearbyTaxiDependency> {}

protocol NearbyTaxiBuildable: Buildable {
  func build(_ taxi: NearbyTaxi) -> any ModelRouting<NearbyTaxi>
}

/// Builds a free taxi on the map.
final class NearbyTaxiBuilder: Builder<any NearbyTaxiDependency>, NearbyTaxiBuildable {
  func build(_ taxi: NearbyTaxi) -> any ModelRouting<NearbyTaxi> {
    let interactor = NearbyTaxiInteractor(
      presenter: NearbyTaxiPresenter(viewController: dependency.mapViewController), taxi: taxi,
      ribCounter: dependency.ribCounter)
    return NearbyTaxiRouter(interactor: interactor)
  }
}
