internal import RIBs

protocol VehicleDynamicsDependency: Dependency {
  var census: Census { get }
  var vehicleService: any VehicleService { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// Adds nothing to the dependencies of VehicleDynamics.
final class VehicleDynamicsComponent: Component<any VehicleDynamicsDependency> {}

protocol VehicleDynamicsBuildable: Buildable {
  func build(withListener listener: any VehicleDynamicsListener) -> any VehicleDynamicsRouting
}

/// Builds the tracking of the vehicle.
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
