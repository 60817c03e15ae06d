internal import RIBs

protocol RootRouting: LaunchRouting {
  func routeToLoggedOut()
  func routeToLoggedIn() -> (any LoggedInActionableItem)?
}

/// What links are handed to.
protocol LinkHandler: AnyObject {
  func handle(_ link: OrderLink)
}

/// Lets the rider in, and reports how the order went to whoever runs the program.
final class RootInteractor: Interactor, RootInteractable, RootActionableItem, LinkHandler {
  weak var router: (any RootRouting)?

  private let report: (OrderOutcome) -> Void
  private let loggedIn = BehaviorRelay<(any LoggedInActionableItem)?>(value: nil)
  private let presence: Census.Presence

  init(report: @escaping (OrderOutcome) -> Void, census: Census) {
    self.report = report
    presence = Census.Presence(in: census)
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

  /// A link that leads nowhere.
  override func didFail(_ error: any Error, of work: BoundWork) { report(.failed("\(error)")) }

  func waitForLogin() -> Observable<(any LoggedInActionableItem, Void)> {
    loggedIn.asObservable().compactMap { $0.map { item in (item, ()) } }
  }

  func loggedOutDidLogIn() { loggedIn.accept(router?.routeToLoggedIn()) }

  func loggedInDidFinish(_ outcome: OrderOutcome) { report(outcome) }
}
