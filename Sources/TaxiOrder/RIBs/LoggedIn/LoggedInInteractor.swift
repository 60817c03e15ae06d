internal import RIBs

protocol LoggedInRouting: Routing {
  func routeToMap()
  /// - Parameter link: what asks for the order; nil if the rider does.
  func routeToOrder(by link: OrderLink?) -> any OrderActionableItem
  func detachOrder()
  func routeToHistory()
  func detachHistory()
  /// Takes away what was shown on the parent's view.
  func cleanupViews()
}

protocol LoggedInListener: AnyObject {
  func loggedInDidFinish(_ outcome: OrderOutcome)
}

/// Begins an order beside the map, and lets the rider look back on it when it has ended.
final class LoggedInInteractor: Interactor, LoggedInInteractable, LoggedInActionableItem {
  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?

  private let rider: Rider
  private let nearbyTaxisMode: MutableNearbyTaxisModeStream
  private let orderHistoryStream: MutableOrderHistoryStream
  private var lastOutcome: OrderOutcome?
  private let presence: Census.Presence

  init(
    rider: Rider, nearbyTaxisMode: MutableNearbyTaxisModeStream, orderHistoryStream: MutableOrderHistoryStream,
    census: Census
  ) {
    self.rider = rider
    self.nearbyTaxisMode = nearbyTaxisMode
    self.orderHistoryStream = orderHistoryStream
    presence = Census.Presence(in: census)
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    router?.routeToMap()
    if rider.ordersByHand { _ = router?.routeToOrder(by: nil) }
  }

  override func willResignActive() {
    router?.cleanupViews()
    super.willResignActive()
  }

  func order(by link: OrderLink) -> Observable<(any OrderActionableItem, Void)> {
    guard let order = router?.routeToOrder(by: link) else { return .empty() }
    return .just((order, ()))
  }

  func orderDidConfirm() { nearbyTaxisMode.accept(.hidden) }

  func orderDidEnd(_ order: PastOrder) {
    lastOutcome = order.outcome
    orderHistoryStream.append(order)
    router?.detachOrder()
    router?.routeToHistory()
  }

  func historyDidClose() {
    router?.detachHistory()
    if let lastOutcome { listener?.loggedInDidFinish(lastOutcome) }
  }
}
