internal import RIBs

protocol HistoryInteractable: Interactable {
  var listener: (any HistoryListener)? { get set }
}

final class HistoryRouter: Router<any HistoryInteractable>, HistoryRouting {}
