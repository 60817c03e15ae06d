internal import RIBs

protocol OrderInteractable:
  Interactable, SelectingListener, DispatchingListener, OrderResultDetailListener, SettlementListener, ReceiptListener,
  RatingListener
{
  var router: (any OrderRouting)? { get set }
  var listener: (any OrderListener)? { get set }
}

final class OrderRouter: Router<any OrderInteractable>, OrderRouting {
  private let selectingBuilder: any SelectingBuildable
  private let dispatchingBuilder: any DispatchingBuildable
  private let orderResultDetailBuilder: any OrderResultDetailBuildable
  private let settlementBuilder: any SettlementBuildable
  private let receiptBuilder: any ReceiptBuildable
  private let ratingBuilder: any RatingBuildable
  /// The stage that the order is at.
  private var stage: (any Routing)?

  init(
    interactor: any OrderInteractable,
    selectingBuilder: any SelectingBuildable,
    dispatchingBuilder: any DispatchingBuildable,
    orderResultDetailBuilder: any OrderResultDetailBuildable,
    settlementBuilder: any SettlementBuildable,
    receiptBuilder: any ReceiptBuildable,
    ratingBuilder: any RatingBuildable
  ) {
    self.selectingBuilder = selectingBuilder
    self.dispatchingBuilder = dispatchingBuilder
    self.orderResultDetailBuilder = orderResultDetailBuilder
    self.settlementBuilder = settlementBuilder
    self.receiptBuilder = receiptBuilder
    self.ratingBuilder = ratingBuilder
    super.init(interactor: interactor)
  }

  func routeToSelecting() {
    show(selectingBuilder.build(withListener: interactor))
  }

  func routeToDispatching(for draft: OrderDraft) {
    show(dispatchingBuilder.build(withListener: interactor, draft: draft))
  }

  func routeToOrderResultDetail(following assignment: Assignment) {
    show(orderResultDetailBuilder.build(withListener: interactor, assignment: assignment))
  }

  func routeToSettlement(of ride: Ride, with payment: Payment) {
    show(settlementBuilder.build(withListener: interactor, ride: ride, payment: payment))
  }

  func routeToReceipt(for paid: PaidBill) {
    show(receiptBuilder.build(withListener: interactor, paid: paid))
  }

  func routeToRating(of bill: Bill) {
    show(ratingBuilder.build(withListener: interactor, bill: bill))
  }

  func detachStage() {
    guard let stage else { return }
    self.stage = nil
    detachChild(stage)
  }

  /// Attaches a stage in place of the one before.
  private func show(_ stage: any Routing) {
    detachStage()
    self.stage = stage
    attachChild(stage)
  }
}
