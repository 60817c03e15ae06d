internal import RIBs

protocol SettlementRouting: Routing {
  func routeToPaymentMethod(without declined: Set<Payment>)
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
final class SettlementInteractor: PresentableInteractor<any SettlementPresentable>, SettlementInteractable {
  weak var router: (any SettlementRouting)?
  weak var listener: (any SettlementListener)?

  private let paymentService: any PaymentService
  private let clock: any Clock<Duration>
  private let ride: Ride
  private var payment: Payment
  private var declined: Set<Payment> = []
  private let token: RIBCounter.Token

  init(
    presenter: any SettlementPresentable, paymentService: any PaymentService, clock: any Clock<Duration>, ride: Ride,
    payment: Payment, ribCounter: RIBCounter
  ) {
    self.paymentService = paymentService
    self.clock = clock
    self.ride = ride
    self.payment = payment
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { "\(ride.bill.total) by \(payment)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.show(ride.bill)
    pay()
  }

  override func didFail(_ error: any Error, of work: BoundWork) { listener?.settlementDidFail("\(error)") }

  func paymentMethodDidSelect(_ payment: Payment) {
    router?.detachPaymentMethod()
    self.payment = payment
    pay()
  }

  func paymentMethodDidRunOut() { listener?.settlementDidFail("all cards were declined") }

  private func pay() {
    switch payment {
    case .card, .otherCard: charge()
    case .cash:
      run({ [clock] in try await clock.sleep(for: .seconds(15)) }) { _ in self.settle() }
    }
  }

  private func charge() {
    run({ [paymentService, ride, payment, nodeID] in
      try await paymentService.charge(ride.bill, to: payment, sender: nodeID)
    }) { answer in
      switch answer {
      case .paid: self.settle()
      case .declined: self.askForOther()
      }
    }
  }

  private func askForOther() {
    presenter.showDeclined(payment)
    declined.insert(payment)
    router?.routeToPaymentMethod(without: declined)
  }

  private func settle() {
    let paid = PaidBill(bill: ride.bill, payment: payment)
    presenter.show(paid)
    listener?.settlementDidSettle(paid)
  }
}
