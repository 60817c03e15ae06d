internal import RIBs
internal import RIBsLists

protocol NearbyTaxiDependency: Dependency {
  var census: Census { get }
  /// The map on which it shows a pin.
  var mapViewController: any MapViewControllable { get }
}

/// Adds nothing to the dependencies of NearbyTaxi.
final class NearbyTaxiComponent: Component<any NearbyTaxiDependency> {}

protocol NearbyTaxiBuildable: Buildable {
  func build(_ taxi: NearbyTaxi) -> any ModelRouting<NearbyTaxi>
}

/// Builds a free taxi on the map.
final class NearbyTaxiBuilder: Builder<any NearbyTaxiDependency>, NearbyTaxiBuildable {
  func build(_ taxi: NearbyTaxi) -> any ModelRouting<NearbyTaxi> {
    let component = NearbyTaxiComponent(dependency: dependency)
    let interactor = NearbyTaxiInteractor(
      presenter: NearbyTaxiPresenter(viewController: component.dependency.mapViewController), taxi: taxi,
      census: component.dependency.census)
    return NearbyTaxiRouter(interactor: interactor)
  }
}
