internal import RIBs

protocol ReceiptRouting: Routing {}

protocol ReceiptPresentable: Presentable {
  func show(_ paid: PaidBill)
}

protocol ReceiptListener: AnyObject {
  func receiptDidClose()
}

/// Shows the receipt for a few seconds.
final class ReceiptInteractor: PresentableInteractor<any ReceiptPresentable>, ReceiptInteractable {
  weak var listener: (any ReceiptListener)?

  private let clock: any Clock<Duration>
  private let paid: PaidBill
  private let token: RIBCounter.Token

  init(presenter: any ReceiptPresentable, clock: any Clock<Duration>, paid: PaidBill, ribCounter: RIBCounter) {
    self.clock = clock
    self.paid = paid
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { "\(paid.bill.total)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.show(paid)
    run({ [clock] in try await clock.sleep(for: .seconds(5)) }) { _ in
      self.listener?.receiptDidClose()
    }
  }
}
