// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class SettlementPresenter: Presenter<Narrator>, SettlementPresentable {
  func show(_ bill: Bill) { viewController.line("To pay: \(bill.total)") }
  func showDeclined(_ payment: Payment) { viewController.line("Declined: \(payment)") }

  func show(_ paid: PaidBill) { viewController.line("Paid \(paid.bill.total) by \(paid.payment)") }
}
