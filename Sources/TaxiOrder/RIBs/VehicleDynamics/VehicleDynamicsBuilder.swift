internal import RIBs

protocol VehicleDynamicsDependency: Dependency {
  var census: Census { get }
  var vehicleService: any VehicleService { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// VehicleDynamics adds nothing to what its parent provides.
final class VehicleDynamicsComponent: Component<any VehicleDynamicsDependency> {}

protocol VehicleDynamicsBuildable: Buildable {
  func build(withListener listener: any VehicleDynamicsListener) -> any VehicleDynamicsRouting
}

/// Builds where the vehicle is and how it moves.
final class VehicleDynamicsBuilder: Builder<any VehicleDynamicsDependency>, VehicleDynamicsBuildable {
  func build(withListener listener: any VehicleDynamicsListener) -> any VehicleDynamicsRouting {
    let component = VehicleDynamicsComponent(dependency: dependency)
    let interactor = VehicleDynamicsInteractor(
      vehicleService: component.dependency.vehicleService, taxiStateStream: component.dependency.taxiStateStream,
      census: component.dependency.census)
    interactor.listener = listener
    return VehicleDynamicsRouter(interactor: interactor)
  }
}
