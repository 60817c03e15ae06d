// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol ReceiptRouting: Routing {}

protocol ReceiptPresentable: Presentable {
  func show(_ paid: PaidBill)
}

protocol ReceiptListener: AnyObject {
  func receiptDidClose()
}

/// Shows the receipt for a few seconds.
final class ReceiptInteractor: PresentableInteractor<any ReceiptPresentable>, ReceiptInteractable, Saving {
  struct SavedState: Codable, Sendable {
    /// When the receipt closes; nil until this is active.
    var closingTime: OrderTime?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  weak var listener: (any ReceiptListener)?

  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let paid: PaidBill
  private let token: RIBCounter.Token

  init(
    presenter: any ReceiptPresentable, clock: any OrderClock, remoteRider: RemoteRider?, paid: PaidBill,
    ribCounter: RIBCounter
  ) {
    self.clock = clock
    self.remoteRider = remoteRider
    self.paid = paid
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { "\(paid.bill.total)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.show(paid)
    let closingTime = savedState.closingTime ?? clock.time + remoteRider.time(.seconds(5))
    savedState.closingTime = closingTime
    run({ [clock] in try await clock.sleep(until: closingTime) }) { _ in
      self.listener?.receiptDidClose()
    }
  }
}
