internal import RIBs

protocol RootRouting: LaunchRouting {
  func routeToLoggedOut()
  func routeToLoggedIn()
}

/// Lets the rider in, and reports how the order went to whoever runs the program.
final class RootInteractor: Interactor, RootInteractable {
  weak var router: (any RootRouting)?

  private let report: (OrderOutcome) -> Void
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

  func loggedOutDidLogIn() { router?.routeToLoggedIn() }

  func loggedInDidFinish(_ outcome: OrderOutcome) { report(outcome) }
}
