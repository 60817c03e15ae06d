internal import RIBs

/// What a link can do at the root.
protocol RootActionableItem: AnyObject {
  /// Waits until the rider has logged in.
  func waitForLogin() -> Observable<(any LoggedInActionableItem, Void)>
}

/// What a link can do for a rider who is logged in.
protocol LoggedInActionableItem: AnyObject {
  /// Begins an order.
  func order(by link: OrderLink) -> Observable<(any OrderActionableItem, Void)>
}

/// Where a link that orders a taxi leads to.
protocol OrderActionableItem: AnyObject {}

/// Orders a taxi from one place to another, as soon as the rider has logged in.
final class OrderTaxiWorkflow: Workflow<any RootActionableItem> {
  init(_ link: OrderLink) {
    // Riders take as long to log in as they like.
    super.init(timeout: nil)
    onStep { root in await root.waitForLogin().first() }
      .onStep { loggedIn, _ in await loggedIn.order(by: link).first() }
      .commit()
  }
}
