internal import RIBs

protocol SettlementInteractable: Interactable, PaymentMethodListener {
  var router: (any SettlementRouting)? { get set }
  var listener: (any SettlementListener)? { get set }
}

final class SettlementRouter: Router<any SettlementInteractable>, SettlementRouting {
  private let paymentMethodBuilder: any PaymentMethodBuildable
  private var paymentMethod: (any Routing)?

  init(interactor: any SettlementInteractable, paymentMethodBuilder: any PaymentMethodBuildable) {
    self.paymentMethodBuilder = paymentMethodBuilder
    super.init(interactor: interactor)
  }

  func routeToPaymentMethod(without declined: Set<Payment>) {
    detachPaymentMethod()
    let paymentMethod = paymentMethodBuilder.build(withListener: interactor, without: declined)
    self.paymentMethod = paymentMethod
    attachChild(paymentMethod)
  }

  func detachPaymentMethod() {
    guard let paymentMethod else { return }
    self.paymentMethod = nil
    detachChild(paymentMethod)
  }
}
