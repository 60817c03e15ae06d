// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class PaymentMethodPresenter: Presenter<Narrator>, PaymentMethodPresentable {
  func show(_ payment: Payment) { viewController.line("Payment by \(payment)") }
}
