internal import RIBs

protocol LoggedOutInteractable: Interactable {
  var listener: (any LoggedOutListener)? { get set }
}

final class LoggedOutRouter: Router<any LoggedOutInteractable>, LoggedOutRouting {}
