// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol SettlementInteractable: Interactable, PaymentMethodListener {}

final class SettlementRouter: Router<any SettlementInteractable>, SettlementRouting {
  private let paymentMethodBuilder: any PaymentMethodBuildable

  /// The choice of another means of payment. The route has the declined ones.
  private lazy var paymentMethod = ChildSlot<[Payment]>(of: self) { router, declined in
    router.paymentMethodBuilder.build(withListener: router.interactor, without: Set(declined))
  }

  init(interactor: any SettlementInteractable, paymentMethodBuilder: any PaymentMethodBuildable) {
    self.paymentMethodBuilder = paymentMethodBuilder
    super.init(interactor: interactor)
  }

  override var savedChildren: [SavedChildren] { [paymentMethod.saved(as: "paymentMethod")] }

  func routeToPaymentMethod(without declined: [Payment]) { paymentMethod.route = declined }

  func detachPaymentMethod() { paymentMethod.route = nil }
}
