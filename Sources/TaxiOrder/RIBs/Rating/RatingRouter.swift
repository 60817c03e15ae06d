internal import RIBs

protocol RatingInteractable: Interactable {
  var listener: (any RatingListener)? { get set }
}

final class RatingRouter: Router<any RatingInteractable>, RatingRouting {}
