internal import RIBs

protocol CancelOrderInteractable: Interactable {
  var listener: (any CancelOrderListener)? { get set }
}

final class CancelOrderRouter: Router<any CancelOrderInteractable>, CancelOrderRouting {}
