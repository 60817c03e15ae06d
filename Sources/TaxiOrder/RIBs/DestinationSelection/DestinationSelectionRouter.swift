internal import RIBs

protocol DestinationSelectionInteractable: Interactable {
  var listener: (any DestinationSelectionListener)? { get set }
}

final class DestinationSelectionRouter: Router<any DestinationSelectionInteractable>, DestinationSelectionRouting {}
