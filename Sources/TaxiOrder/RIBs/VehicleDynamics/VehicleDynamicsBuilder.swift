// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol VehicleDynamicsDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var vehicleService: any VehicleService { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// What VehicleDynamics provides to its children: it has none.
final class VehicleDynamicsComponent: Component<any VehicleDynamicsDependency> {}

protocol VehicleDynamicsBuildable: Buildable {
  func build(withListener listener: any VehicleDynamicsListener) -> any VehicleDynamicsRouting
}

/// Builds the tracking of the vehicle.
final class VehicleDynamicsBuilder: Builder<any VehicleDynamicsDependency>, VehicleDynamicsBuildable {
  func build(withListener listener: any VehicleDynamicsListener) -> any VehicleDynamicsRouting {
    let interactor = VehicleDynamicsInteractor(
      vehicleService: dependency.vehicleService, taxiStateStream: dependency.taxiStateStream,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return VehicleDynamicsRouter(interactor: interactor)
  }
}
