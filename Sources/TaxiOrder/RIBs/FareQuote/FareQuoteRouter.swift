internal import RIBs

protocol FareQuoteInteractable: Interactable {
  var listener: (any FareQuoteListener)? { get set }
}

final class FareQuoteRouter: Router<any FareQuoteInteractable>, FareQuoteRouting {}
