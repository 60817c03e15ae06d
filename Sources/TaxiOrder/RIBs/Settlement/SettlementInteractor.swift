// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol SettlementRouting: Routing {
  func routeToPaymentMethod(without declined: [Payment])
  func detachPaymentMethod()
}

protocol SettlementPresentable: Presentable {
  func show(_ bill: Bill)
  func show(_ paid: PaidBill)
  func showDeclined(_ payment: Payment)
}

protocol SettlementListener: AnyObject {
  func settlementDidSettle(_ paid: PaidBill)
  func settlementDidFail(_ reason: String)
}

/// Charges the rider's card, or waits for the payment in cash. If a card is declined, the rider chooses another one,
/// if there is one. Meanwhile the tree may sleep: the declined card is charged once more after each hour.
final class SettlementInteractor: PresentableInteractor<any SettlementPresentable>, SettlementInteractable, Connectable,
  Saving
{
  struct SavedState: Codable, Sendable {
    enum Step: Codable, Sendable {
      case choosing
      /// The charge is about to be requested, or was.
      case charging
      case payingCash(until: OrderTime)
    }

    var payment: Payment
    /// The means of payment that were declined, in order.
    var declined: [Payment] = []
    /// When the last of them is charged once more.
    var retry: OrderTime?
    /// How often that has happened; nil for never.
    var retries: Int?
    /// Nil until this is active.
    var step: Step?
  }

  var savedState: SavedState { didSet { setNeedsSave() } }

  private static let retries = 24
  private static let pause = Duration.seconds(3_600)

  weak var router: (any SettlementRouting)?
  weak var listener: (any SettlementListener)?

  private let paymentService: any PaymentService
  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let ride: Ride
  private let key: RequestKey
  /// The wait for the next charge of a declined card.
  private var wait: BoundWork.Handle?
  private let token: RIBCounter.Token

  init(
    presenter: any SettlementPresentable, paymentService: any PaymentService, clock: any OrderClock,
    remoteRider: RemoteRider?, ride: Ride,
    payment: Payment, key: RequestKey, ribCounter: RIBCounter
  ) {
    self.paymentService = paymentService
    self.clock = clock
    self.remoteRider = remoteRider
    self.ride = ride
    self.key = key
    savedState = SavedState(payment: payment)
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { "\(ride.bill.total) by \(savedState.payment)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.show(ride.bill)
    remoteRider?.status.accept(.paying(total: ride.bill.total))
    switch savedState.step {
    case nil: pay()
    case .choosing: waitForChoice()
    case .charging: charge()
    case .payingCash(let end): payCash(until: end)
    }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { fail(error) }

  func paymentMethodDidSelect(_ payment: Payment) {
    wait?.cancel()
    router?.detachPaymentMethod()
    savedState.payment = payment
    savedState.retry = nil
    remoteRider?.status.accept(.paying(total: ride.bill.total))
    pay()
  }

  func paymentMethodDidRunOut() { listener?.settlementDidFail("all cards were declined") }

  private func pay() {
    switch savedState.payment {
    case .card, .otherCard: charge()
    case .cash: payCash(until: clock.time + remoteRider.time(.seconds(15)))
    }
  }

  private func payCash(until end: OrderTime) {
    savedState.step = .payingCash(until: end)
    run({ [clock] in try await clock.sleep(until: end) }) { _ in self.settle() }
  }

  /// Each card and each repetition has its own key, so that none is charged twice, and a declined one is declined again.
  private func charge() {
    savedState.step = .charging
    let key = key.appending(savedState.payment.rawValue + (savedState.retries.map { "\($0)" } ?? ""))
    task {
      try await self.checkpoint()
      let answer = try await self.paymentService.charge(
        self.ride.bill, to: self.savedState.payment, key: key, sender: self.nodeID)
      switch answer {
      case .paid: self.settle()
      case .declined: self.askForOther()
      }
    }
  }

  private func askForOther() {
    presenter.showDeclined(savedState.payment)
    if !savedState.declined.contains(savedState.payment) { savedState.declined.append(savedState.payment) }
    let retries = savedState.retries ?? 0
    savedState.retry = retries < SettlementInteractor.retries ? clock.time + SettlementInteractor.pause : nil
    savedState.step = .choosing
    waitForChoice()
    router?.routeToPaymentMethod(without: savedState.declined)
  }

  /// The tree may sleep meanwhile. The card may be covered by then, so the ride is charged once more.
  private func waitForChoice() {
    remoteRider?.status.accept(.choosingPayment(declined: savedState.declined, retry: savedState.retry))
    guard let retry = savedState.retry else { return }
    wait = task {
      try await self.sleep(until: self.clock.wallTime(of: retry))
      self.savedState.retries = (self.savedState.retries ?? 0) + 1
      self.paymentMethodDidSelect(self.savedState.payment)
    }
  }

  private func settle() {
    let paid = PaidBill(bill: ride.bill, payment: savedState.payment)
    presenter.show(paid)
    listener?.settlementDidSettle(paid)
  }
}
