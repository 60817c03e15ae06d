internal import RIBs

protocol RootRouting: LaunchRouting {
  func routeToLoggedOut()
  func routeToLoggedIn() -> (any LoggedInActionableItem)?
}

/// Handles deep links.
protocol LinkHandler: AnyObject {
  func handle(_ link: OrderLink)
}

/// Shows the login, then the rest of the app, and reports the outcome of the order.
final class RootInteractor: Interactor, RootInteractable, RootActionableItem, LinkHandler {
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
    router?.routeToLoggedOut()
  }

  func handle(_ link: OrderLink) {
    OrderTaxiWorkflow(link)
      .subscribe(self)
      .disposeOnDeactivate(interactor: self)
  }

  /// A link failed to lead to an order.
  override func didFail(_ error: any Error, of work: BoundWork) { report(.failed("\(error)")) }

  func waitForLogin() -> Observable<(any LoggedInActionableItem, Void)> {
    loggedIn.asObservable().compactMap { $0.map { item in (item, ()) } }
  }

  func loggedOutDidLogIn() { loggedIn.accept(router?.routeToLoggedIn()) }

  func loggedInDidFinish(_ outcome: OrderOutcome) { report(outcome) }
}
