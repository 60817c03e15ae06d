// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol PaymentMethodRouting: Routing {}

protocol PaymentMethodPresentable: Presentable {
  func show(_ payment: Payment)
}

protocol PaymentMethodListener: AnyObject {
  func paymentMethodDidSelect(_ payment: Payment)
  /// The rider has no other means of payment.
  func paymentMethodDidRunOut()
}

/// Selects the first means of payment that the plugins offer to the rider. A remote rider is asked after a refusal.
final class PaymentMethodInteractor: PresentableInteractor<any PaymentMethodPresentable>, PaymentMethodInteractable {
  weak var listener: (any PaymentMethodListener)?

  private let rider: Rider
  private let paymentPoint: PaymentPoint
  private let remoteRider: RemoteRider?
  private let choosingRider: RemoteRider?
  private let declined: Set<Payment>
  private let token: RIBCounter.Token

  init(
    presenter: any PaymentMethodPresentable, rider: Rider, paymentPoint: PaymentPoint, remoteRider: RemoteRider?,
    choosingRider: RemoteRider?, declined: Set<Payment>, ribCounter: RIBCounter
  ) {
    self.rider = rider
    self.paymentPoint = paymentPoint
    self.remoteRider = remoteRider
    self.choosingRider = choosingRider
    self.declined = declined
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    if let remoteRider, !declined.isEmpty { return ask(remoteRider) }
    if let choosingRider {
      if let payment = choosingRider.choices.value.payment { select(payment) }
      return
    }
    guard let payment = paymentPoint.first(for: PaymentContext(preference: rider.payment, declined: declined)) else {
      listener?.paymentMethodDidRunOut()
      return
    }
    select(payment)
  }

  private func ask(_ rider: RemoteRider) {
    rider.payments
      .filter { [declined] payment in !declined.contains(payment) }
      .subscribe(onNext: { payment in self.select(payment) })
      .disposeOnDeactivate(interactor: self)
  }

  private func select(_ payment: Payment) {
    presenter.show(payment)
    listener?.paymentMethodDidSelect(payment)
  }
}
