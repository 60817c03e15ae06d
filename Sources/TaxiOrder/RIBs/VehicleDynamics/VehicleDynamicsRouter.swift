internal import RIBs

protocol VehicleDynamicsInteractable: Interactable {
  var listener: (any VehicleDynamicsListener)? { get set }
}

final class VehicleDynamicsRouter: Router<any VehicleDynamicsInteractable>, VehicleDynamicsRouting {}
