internal import RIBs

protocol LoggedInRouting: Routing {
  func routeToOrder()
  func detachOrder()
}

protocol LoggedInListener: AnyObject {
  func loggedInDidFinish(_ outcome: OrderOutcome)
}

/// Begins an order, and lets go of it when it has ended.
final class LoggedInInteractor: Interactor, LoggedInInteractable {
  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?

  private let presence: Census.Presence

  init(census: Census) {
    presence = Census.Presence(in: census)
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    router?.routeToOrder()
  }

  func orderDidEnd(_ outcome: OrderOutcome) {
    router?.detachOrder()
    listener?.loggedInDidFinish(outcome)
  }
}
