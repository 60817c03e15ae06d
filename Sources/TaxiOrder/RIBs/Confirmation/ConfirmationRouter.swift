internal import RIBs

protocol ConfirmationInteractable: Interactable {
  var listener: (any ConfirmationListener)? { get set }
}

final class ConfirmationRouter: Router<any ConfirmationInteractable>, ConfirmationRouting {}
