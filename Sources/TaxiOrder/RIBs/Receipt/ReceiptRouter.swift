internal import RIBs

protocol ReceiptInteractable: Interactable {
  var listener: (any ReceiptListener)? { get set }
}

final class ReceiptRouter: Router<any ReceiptInteractable>, ReceiptRouting {}
