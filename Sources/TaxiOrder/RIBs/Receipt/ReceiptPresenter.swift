// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class ReceiptPresenter: Presenter<Narrator>, ReceiptPresentable {
  func show(_ paid: PaidBill) {
    let bill = paid.bill
    viewController.line(
      "Fare \(bill.fare), tip \(bill.tip), tolls \(bill.tolls), surcharge \(bill.surcharge): \(bill.total) in all")
  }
}
