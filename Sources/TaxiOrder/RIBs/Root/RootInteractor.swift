// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Handles deep links.
package protocol LinkHandler: AnyObject {
  /// The link that waits for the login; nil if there is none.
  var pendingLink: OrderLink? { get }
  func handle(_ link: OrderLink)
}

/// Shows the login, then the rest of the app, and reports the outcome of the order.
final class RootInteractor: Interactor, RootInteractable, RootActionableItem, LinkHandler, Saving {
  struct SavedState: Codable, Sendable {
    /// The link that waits for the login.
    var link: OrderLink?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }
  weak var router: (any RootRouting)?

  private let report: (OrderOutcome) -> Void
  private let loggedIn = BehaviorRelay<(any LoggedInActionableItem)?>(value: nil)
  private let token: RIBCounter.Token

  init(report: @escaping (OrderOutcome) -> Void, ribCounter: RIBCounter) {
    self.report = report
    token = RIBCounter.Token(of: ribCounter)
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    router?.begin()
    loggedIn.accept(router?.loggedIn)
    if let link = savedState.link { follow(link) }
  }

  var pendingLink: OrderLink? { savedState.link }

  func handle(_ link: OrderLink) {
    savedState.link = link
    follow(link)
  }

  /// A link failed to lead to an order.
  override func didFail(_ error: any Error, of work: BoundWork) { report(.failed(reason: "\(error)")) }

  private func follow(_ link: OrderLink) {
    OrderTaxiWorkflow(link) { [weak self] in self?.savedState.link = nil }
      .subscribe(self)
      .disposeOnDeactivate(interactor: self)
  }

  func waitForLogin() -> Observable<(any LoggedInActionableItem, Void)> {
    loggedIn.asObservable().compactMap { $0.map { item in (item, ()) } }
  }

  func loggedOutDidLogIn() {
    router?.routeToLoggedIn()
    loggedIn.accept(router?.loggedIn)
  }

  func loggedInDidFinish(_ outcome: OrderOutcome) { report(outcome) }
}
