// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol OrderInteractable:
  Interactable, SelectingListener, DispatchingListener, OrderResultDetailListener, SettlementListener, ReceiptListener,
  RatingListener
{}

/// The stages of an order, each with its input.
enum OrderRoute: Hashable, Codable, Sendable {
  case selecting
  case dispatching(draft: OrderDraft, key: RequestKey)
  case orderResultDetail(assignment: Assignment)
  case settlement(ride: Ride, payment: Payment, key: RequestKey)
  case receipt(paid: PaidBill)
  case rating(bill: Bill)
}

final class OrderRouter: Router<any OrderInteractable>, OrderRouting {
  private let selectingBuilder: any SelectingBuildable
  private let dispatchingBuilder: any DispatchingBuildable
  private let orderResultDetailBuilder: any OrderResultDetailBuildable
  private let settlementBuilder: any SettlementBuildable
  private let receiptBuilder: any ReceiptBuildable
  private let ratingBuilder: any RatingBuildable
  private let restarts: Restarts

  /// The current stage of the order, restarted if it fails.
  private lazy var stage = ChildSlot<OrderRoute>(of: self, restarts: restarts) { router, route in router.build(route) }

  init(
    interactor: any OrderInteractable,
    selectingBuilder: any SelectingBuildable,
    dispatchingBuilder: any DispatchingBuildable,
    orderResultDetailBuilder: any OrderResultDetailBuildable,
    settlementBuilder: any SettlementBuildable,
    receiptBuilder: any ReceiptBuildable,
    ratingBuilder: any RatingBuildable,
    restarts: Restarts
  ) {
    self.selectingBuilder = selectingBuilder
    self.dispatchingBuilder = dispatchingBuilder
    self.orderResultDetailBuilder = orderResultDetailBuilder
    self.settlementBuilder = settlementBuilder
    self.receiptBuilder = receiptBuilder
    self.ratingBuilder = ratingBuilder
    self.restarts = restarts
    super.init(interactor: interactor)
  }

  override var savedChildren: [SavedChildren] { [stage.saved(as: "stage")] }

  func route(to route: OrderRoute) { stage.route = route }

  func detachStage() { stage.route = nil }

  private func build(_ route: OrderRoute) -> any Routing {
    switch route {
    case .selecting: selectingBuilder.build(withListener: interactor)
    case .dispatching(let draft, let key):
      dispatchingBuilder.build(withListener: interactor, draft: draft, key: key)
    case .orderResultDetail(let assignment):
      orderResultDetailBuilder.build(withListener: interactor, assignment: assignment)
    case .settlement(let ride, let payment, let key):
      settlementBuilder.build(withListener: interactor, ride: ride, payment: payment, key: key)
    case .receipt(let paid): receiptBuilder.build(withListener: interactor, paid: paid)
    case .rating(let bill): ratingBuilder.build(withListener: interactor, bill: bill)
    }
  }
}
