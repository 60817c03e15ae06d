// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol OrderRouting: Routing {
  func route(to route: OrderRoute)
  func detachStage()
}

protocol OrderPresentable: Presentable {
  func willEnter(_ state: OrderState)
  func didEnter(_ state: OrderState)
  func showFailure(_ reason: String)
}

protocol OrderListener: AnyObject {
  /// The choices are made, and the search for a taxi is about to start.
  func orderDidConfirm()
  func orderDidEnd(_ order: PastOrder)
}

/// Takes an order through its stages. Each stage reports its result, and `OrderState` determines the next one.
final class OrderInteractor: PresentableInteractor<any OrderPresentable>, OrderInteractable, OrderActionableItem,
  Connectable, Saving
{
  struct SavedState: Codable, Sendable {
    /// The key from which those of the requests derive. It outlives the stages, which may be restarted.
    var key = RequestKey.random()
    var state = OrderState.selecting
    var draft = OrderDraft()
    var rating: Rating?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  weak var router: (any OrderRouting)?
  weak var listener: (any OrderListener)?

  private let remoteRider: RemoteRider?
  private let token: RIBCounter.Token

  init(presenter: any OrderPresentable, remoteRider: RemoteRider?, ribCounter: RIBCounter) {
    self.remoteRider = remoteRider
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { savedState.state.name }

  override func didBecomeActive() {
    super.didBecomeActive()
    enter(savedState.state)
  }

  /// The stage is out of restarts.
  override func childDidFail(_ failure: ChildFailure) { move(on: .failed(reason: "\(failure.error)")) }

  func selectingDidConfirm(_ draft: OrderDraft) {
    savedState.draft = draft
    listener?.orderDidConfirm()
    move(on: .confirmed(draft))
  }

  func selectingDidCancel() { move(on: .cancelled) }
  func selectingDidFail(_ reason: String) { move(on: .failed(reason: reason)) }

  func dispatchingDidAssign(_ assignment: Assignment) { move(on: .assigned(assignment)) }
  func dispatchingDidCancel() { move(on: .cancelled) }
  func dispatchingDidFail(_ reason: String) { move(on: .failed(reason: reason)) }

  func orderResultDetailDidEnd(_ ride: Ride) { move(on: .rideEnded(ride)) }
  func orderResultDetailDidCancel() { move(on: .cancelled) }
  func orderResultDetailDidLoseDriver() { move(on: .driverCancelled) }
  func orderResultDetailDidFail(_ reason: String) { move(on: .failed(reason: reason)) }

  func settlementDidSettle(_ paid: PaidBill) { move(on: .settled(paid)) }
  func settlementDidFail(_ reason: String) { move(on: .failed(reason: reason)) }

  func receiptDidClose() { move(on: .receiptClosed) }

  func ratingDidRate(_ rating: Rating) {
    savedState.rating = rating
    move(on: .rated)
  }

  private func move(on event: OrderState.Event) {
    if let next = savedState.state.next(after: event) { enter(next) }
  }

  private func enter(_ state: OrderState) {
    savedState.state = state
    // Before the stage is attached, which shows more.
    if let status = OrderStatus(state) { remoteRider?.status.accept(status) }
    presenter.willEnter(state)
    switch state {
    case .selecting: router?.route(to: .selecting)
    case .dispatching(let draft, let round):
      router?.route(to: .dispatching(draft: draft, key: savedState.key.appending("round\(round)")))
    case .underWay(_, let assignment, _): router?.route(to: .orderResultDetail(assignment: assignment))
    case .settling(let ride, let payment):
      router?.route(to: .settlement(ride: ride, payment: payment, key: savedState.key))
    case .receipt(let paid): router?.route(to: .receipt(paid: paid))
    case .rating(let paid): router?.route(to: .rating(bill: paid.bill))
    case .ended(let outcome): return end(outcome)
    }
    presenter.didEnter(state)
  }

  private func end(_ outcome: OrderOutcome) {
    if case .failed(let reason) = outcome { presenter.showFailure(reason) }
    router?.detachStage()
    listener?.orderDidEnd(
      PastOrder(
        pickup: savedState.draft.pickup, destination: savedState.draft.destination, outcome: outcome,
        rating: savedState.rating))
  }
}
