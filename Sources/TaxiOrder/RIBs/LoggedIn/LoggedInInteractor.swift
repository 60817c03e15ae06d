internal import RIBs

protocol LoggedInRouting: Routing {
  /// Whether nothing covers the map.
  var isMapInFront: Bool { get }
  func routeToMap()
  /// Shows an order on top of the current screen.
  ///
  /// - Parameter link: the link that requests the order; nil if the rider does.
  func routeToOrder(by link: OrderLink?) -> (any OrderActionableItem)?
  func replaceOrderWithHistory()
  /// Closes the history, and shows the screen below.
  func closeHistory()
  /// Removes the views shown on the parent's view.
  func cleanupViews()
}

protocol LoggedInListener: AnyObject {
  func loggedInDidFinish(_ outcome: OrderOutcome)
}

/// Starts an order on top of the map, and shows the history when it has ended.
final class LoggedInInteractor: Interactor, LoggedInInteractable, LoggedInActionableItem {
  private static let timeToLookAround = Duration.seconds(1)

  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?

  private let rider: Rider
  private let clock: any Clock<Duration>
  private let nearbyTaxisMode: MutableNearbyTaxisModeStream
  private let orderHistoryStream: MutableOrderHistoryStream
  private var lastOutcome: OrderOutcome?
  private let token: RIBCounter.Token

  init(
    rider: Rider, clock: any Clock<Duration>, nearbyTaxisMode: MutableNearbyTaxisModeStream,
    orderHistoryStream: MutableOrderHistoryStream, ribCounter: RIBCounter
  ) {
    self.rider = rider
    self.clock = clock
    self.nearbyTaxisMode = nearbyTaxisMode
    self.orderHistoryStream = orderHistoryStream
    token = RIBCounter.Token(of: ribCounter)
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    router?.routeToMap()
    guard rider.ordersInApp else { return }
    run({ [clock] in try await clock.sleep(for: LoggedInInteractor.timeToLookAround) }) { _ in
      if self.router?.isMapInFront == true { _ = self.beginOrder(by: nil) }
    }
  }

  override func willResignActive() {
    router?.cleanupViews()
    super.willResignActive()
  }

  func order(by link: OrderLink) -> Observable<(any OrderActionableItem, Void)> {
    guard let order = beginOrder(by: link) else { return .empty() }
    return .just((order, ()))
  }

  private func beginOrder(by link: OrderLink?) -> (any OrderActionableItem)? {
    nearbyTaxisMode.accept(.shown)
    return router?.routeToOrder(by: link)
  }

  func orderDidConfirm() { nearbyTaxisMode.accept(.hidden) }

  func orderDidEnd(_ order: PastOrder) {
    lastOutcome = order.outcome
    orderHistoryStream.append(order)
    router?.replaceOrderWithHistory()
  }

  func historyDidClose() {
    router?.closeHistory()
    if router?.isMapInFront == true, let lastOutcome {
      listener?.loggedInDidFinish(lastOutcome)
    } else {
      nearbyTaxisMode.accept(.shown)
    }
  }
}
