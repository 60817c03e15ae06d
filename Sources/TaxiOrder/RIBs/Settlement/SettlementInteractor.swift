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
/// if there is one.
final class SettlementInteractor: PresentableInteractor<any SettlementPresentable>, SettlementInteractable, Saving {
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
    /// Nil until this is active.
    var step: Step?
  }

  var savedState: SavedState { didSet { setNeedsSave() } }

  weak var router: (any SettlementRouting)?
  weak var listener: (any SettlementListener)?

  private let paymentService: any PaymentService
  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let ride: Ride
  private let key: RequestKey
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
    case .choosing: showChoice()
    case .charging: charge()
    case .payingCash(let end): payCash(until: end)
    }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { fail(error) }

  func paymentMethodDidSelect(_ payment: Payment) {
    router?.detachPaymentMethod()
    savedState.payment = payment
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

  /// Each card has its own key, so that none is charged twice, and a declined one is declined again.
  private func charge() {
    savedState.step = .charging
    let key = key.appending(savedState.payment.rawValue)
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
    savedState.declined.append(savedState.payment)
    savedState.step = .choosing
    showChoice()
    router?.routeToPaymentMethod(without: savedState.declined)
  }

  private func showChoice() { remoteRider?.status.accept(.choosingPayment(declined: savedState.declined)) }

  private func settle() {
    let paid = PaidBill(bill: ride.bill, payment: savedState.payment)
    presenter.show(paid)
    listener?.settlementDidSettle(paid)
  }
}
