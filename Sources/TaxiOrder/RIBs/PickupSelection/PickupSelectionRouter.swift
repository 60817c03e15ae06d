internal import RIBs

protocol PickupSelectionInteractable: Interactable {
  var listener: (any PickupSelectionListener)? { get set }
}

final class PickupSelectionRouter: Router<any PickupSelectionInteractable>, PickupSelectionRouting {}
