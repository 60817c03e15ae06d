// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol HistoryRouting: Routing {}

protocol HistoryPresentable: Presentable {
  func show(_ orders: [PastOrder])
}

protocol HistoryListener: AnyObject {
  func historyDidClose()
}

/// Shows the past orders, until the rider closes them.
final class HistoryInteractor: PresentableInteractor<any HistoryPresentable>, HistoryInteractable, Saving {
  struct SavedState: Codable, Sendable {
    /// When the rider closes the history; nil until this is active.
    var closingTime: OrderTime?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  weak var listener: (any HistoryListener)?

  private let orderHistoryStream: any OrderHistoryStream
  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private var count = 0
  private let token: RIBCounter.Token

  init(
    presenter: any HistoryPresentable, orderHistoryStream: any OrderHistoryStream, clock: any OrderClock,
    remoteRider: RemoteRider?,
    ribCounter: RIBCounter
  ) {
    self.orderHistoryStream = orderHistoryStream
    self.clock = clock
    self.remoteRider = remoteRider
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { count == 1 ? "1 order" : "\(count) orders" }

  override func didBecomeActive() {
    super.didBecomeActive()
    orderHistoryStream.orders
      .subscribe(onNext: { orders in self.show(orders) })
      .disposeOnDeactivate(interactor: self)
    let closingTime = savedState.closingTime ?? clock.time + remoteRider.time(.seconds(2))
    savedState.closingTime = closingTime
    run({ [clock] in try await clock.sleep(until: closingTime) }) { _ in
      self.listener?.historyDidClose()
    }
  }

  private func show(_ orders: [PastOrder]) {
    count = orders.count
    presenter.show(orders)
  }
}
