internal import RIBs

protocol SettlementInteractable: Interactable {
  var listener: (any SettlementListener)? { get set }
}

final class SettlementRouter: Router<any SettlementInteractable>, SettlementRouting {}
