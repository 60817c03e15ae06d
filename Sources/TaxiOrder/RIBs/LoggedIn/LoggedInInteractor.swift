// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
final class LoggedInInteractor: Interactor, LoggedInInteractable, LoggedInActionableItem, Connectable, Saving {
  struct SavedState: Codable, Sendable {
    /// Whether the rider looks at the map before ordering.
    enum Start: Codable, Sendable {
      case notYet
      case lookingAround(until: OrderTime)
      case over
    }

    var start = Start.notYet
    var nearbyTaxis: NearbyTaxisMode
    var pastOrders: [PastOrder]
  }

  var savedState: SavedState {
    get { SavedState(start: start, nearbyTaxis: nearbyTaxisMode.value, pastOrders: orderHistoryStream.value) }
    set {
      start = newValue.start
      nearbyTaxisMode.accept(newValue.nearbyTaxis)
      orderHistoryStream.accept(newValue.pastOrders)
    }
  }

  private static let timeToLookAround = Duration.seconds(1)
  private static let historyLength = 100

  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?

  private let rider: Rider
  private let remoteRider: RemoteRider?
  private let clock: any OrderClock
  private let nearbyTaxisMode: MutableNearbyTaxisModeStream
  private let orderHistoryStream: MutableOrderHistoryStream
  private var start = SavedState.Start.notYet
  private let token: RIBCounter.Token

  init(
    rider: Rider, remoteRider: RemoteRider?, clock: any OrderClock, nearbyTaxisMode: MutableNearbyTaxisModeStream,
    orderHistoryStream: MutableOrderHistoryStream, ribCounter: RIBCounter
  ) {
    self.rider = rider
    self.remoteRider = remoteRider
    self.clock = clock
    self.nearbyTaxisMode = nearbyTaxisMode
    self.orderHistoryStream = orderHistoryStream
    token = RIBCounter.Token(of: ribCounter)
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    router?.routeToMap()
    showStatus()
    remoteRider?.orders
      .subscribe(onNext: { _ = self.beginOrder(by: nil) })
      .disposeOnDeactivate(interactor: self)
    switch start {
    case .notYet where rider.ordersInApp: lookAround(until: clock.time + LoggedInInteractor.timeToLookAround)
    case .lookingAround(let end): lookAround(until: end)
    case .notYet, .over: break
    }
    reportIfDone()
  }

  override func willResignActive() {
    router?.cleanupViews()
    super.willResignActive()
  }

  func order(by link: OrderLink) -> Observable<(any OrderActionableItem, Void)> {
    guard let order = beginOrder(by: link) else { return .empty() }
    return .just((order, ()))
  }

  private func lookAround(until end: OrderTime) {
    start = .lookingAround(until: end)
    setNeedsSave()
    run({ [clock] in try await clock.sleep(until: end) }) { _ in
      self.start = .over
      self.setNeedsSave()
      if self.router?.isMapInFront == true { _ = self.beginOrder(by: nil) }
    }
  }

  private func beginOrder(by link: OrderLink?) -> (any OrderActionableItem)? {
    // A remote rider has no map.
    if remoteRider == nil { show(.shown) }
    return router?.routeToOrder(by: link)
  }

  func orderDidConfirm() { show(.hidden) }

  func orderDidEnd(_ order: PastOrder) {
    orderHistoryStream.accept((orderHistoryStream.value + [order]).suffix(LoggedInInteractor.historyLength))
    setNeedsSave()
    router?.replaceOrderWithHistory()
    showStatus()
  }

  /// Shows a remote rider the last order.
  private func showStatus() {
    let last = orderHistoryStream.value.last
    remoteRider?.pastOrders.accept(orderHistoryStream.value)
    remoteRider?.status.accept(last.map { .ended(outcome: $0.outcome) } ?? .signedIn)
  }

  func historyDidClose() {
    router?.closeHistory()
    if remoteRider == nil, router?.isMapInFront != true { show(.shown) }
    reportIfDone()
  }

  /// Reports the outcome of the last order, when all screens are closed.
  private func reportIfDone() {
    guard router?.isMapInFront == true, let last = orderHistoryStream.value.last else { return }
    listener?.loggedInDidFinish(last.outcome)
  }

  private func show(_ mode: NearbyTaxisMode) {
    nearbyTaxisMode.accept(mode)
    setNeedsSave()
  }
}
