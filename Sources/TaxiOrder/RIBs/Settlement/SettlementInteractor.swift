internal import RIBs

protocol SettlementRouting: Routing {}

protocol SettlementPresentable: Presentable {
  func show(_ bill: Bill)
  func show(_ paid: PaidBill)
}

protocol SettlementListener: AnyObject {
  func settlementDidSettle(_ paid: PaidBill)
  func settlementDidFail(_ reason: String)
}

/// Charges the rider's card, or waits until the driver has been paid in cash.
final class SettlementInteractor: PresentableInteractor<any SettlementPresentable>, SettlementInteractable {
  weak var listener: (any SettlementListener)?

  private let paymentService: any PaymentService
  private let clock: any Clock<Duration>
  private let ride: Ride
  private let payment: Payment
  private let presence: Census.Presence

  init(
    presenter: any SettlementPresentable, paymentService: any PaymentService, clock: any Clock<Duration>, ride: Ride,
    payment: Payment, census: Census
  ) {
    self.paymentService = paymentService
    self.clock = clock
    self.ride = ride
    self.payment = payment
    presence = Census.Presence(in: census)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { "\(ride.bill.total) by \(payment)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.show(ride.bill)
    switch payment {
    case .card:
      run({ [paymentService, ride, nodeID] in try await paymentService.charge(ride.bill, sender: nodeID) }) { paid in
        self.settle(paid)
      }
    case .cash:
      task {
        try await self.clock.sleep(for: .seconds(15))
        self.settle(PaidBill(bill: self.ride.bill, payment: .cash))
      }
    }
  }

  override func didFail(_ error: any Error) { listener?.settlementDidFail("\(error)") }

  private func settle(_ paid: PaidBill) {
    presenter.show(paid)
    listener?.settlementDidSettle(paid)
  }
}
