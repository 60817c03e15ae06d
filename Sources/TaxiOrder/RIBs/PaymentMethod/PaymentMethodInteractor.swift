internal import RIBs

protocol PaymentMethodRouting: Routing {}

protocol PaymentMethodPresentable: Presentable {
  func show(_ payment: Payment)
}

protocol PaymentMethodListener: AnyObject {
  func paymentMethodDidSelect(_ payment: Payment)
}

/// Picks how the rider pays.
final class PaymentMethodInteractor: PresentableInteractor<any PaymentMethodPresentable>, PaymentMethodInteractable {
  weak var listener: (any PaymentMethodListener)?

  private let rider: Rider
  private let presence: Census.Presence

  init(presenter: any PaymentMethodPresentable, rider: Rider, census: Census) {
    self.rider = rider
    presence = Census.Presence(in: census)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.show(rider.payment)
    listener?.paymentMethodDidSelect(rider.payment)
  }
}
