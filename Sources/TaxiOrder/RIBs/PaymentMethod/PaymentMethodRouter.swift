internal import RIBs

protocol PaymentMethodInteractable: Interactable {
  var listener: (any PaymentMethodListener)? { get set }
}

final class PaymentMethodRouter: Router<any PaymentMethodInteractable>, PaymentMethodRouting {}
