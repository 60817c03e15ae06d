internal import RIBs

/// The actions that a link can take at the root.
protocol RootActionableItem: AnyObject {
  /// Waits until the rider has logged in.
  func waitForLogin() -> Observable<(any LoggedInActionableItem, Void)>
}

/// The actions that a link can take for a rider who is logged in.
protocol LoggedInActionableItem: AnyObject {
  /// Starts an order.
  func order(by link: OrderLink) -> Observable<(any OrderActionableItem, Void)>
}

/// The last item of a link that orders a taxi.
protocol OrderActionableItem: AnyObject {}

/// Orders a taxi for a link, after the rider has logged in.
final class OrderTaxiWorkflow: Workflow<any RootActionableItem> {
  init(_ link: OrderLink) {
    // No timeout: logging in may take any time.
    super.init(timeout: nil)
    onStep { root in await root.waitForLogin().first() }
      .onStep { loggedIn, _ in await loggedIn.order(by: link).first() }
      .commit()
  }
}
