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

/// Selects the rider's preferred means of payment that has not been declined.
final class PaymentMethodInteractor: PresentableInteractor<any PaymentMethodPresentable>, PaymentMethodInteractable {
  weak var listener: (any PaymentMethodListener)?

  private let rider: Rider
  private let declined: Set<Payment>
  private let token: RIBCounter.Token

  init(presenter: any PaymentMethodPresentable, rider: Rider, declined: Set<Payment>, ribCounter: RIBCounter) {
    self.rider = rider
    self.declined = declined
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    guard let payment = rider.payment.alternatives.first(where: { !declined.contains($0) }) else {
      listener?.paymentMethodDidRunOut()
      return
    }
    presenter.show(payment)
    listener?.paymentMethodDidSelect(payment)
  }
}
