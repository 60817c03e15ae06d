internal import RIBs

final class PaymentMethodPresenter: Presenter<Narrator>, PaymentMethodPresentable {
  func show(_ payment: Payment) { viewController.line("Payment by \(payment)") }
}
