internal import RIBs

protocol DispatchingInteractable: Interactable {
  var listener: (any DispatchingListener)? { get set }
}

final class DispatchingRouter: Router<any DispatchingInteractable>, DispatchingRouting {}
