// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

/// The actions that a link can take at the root.
protocol RootActionableItem: AnyObject {
  /// Waits until the rider has logged in.
  func waitForLogin() -> Observable<(any LoggedInActionableItem, Void)>
}

/// The actions that a link can take for a rider who is logged in.
package protocol LoggedInActionableItem: AnyObject {
  /// Starts an order.
  func order(by link: OrderLink) -> Observable<(any OrderActionableItem, Void)>
}

/// The last item of a link that orders a taxi.
package protocol OrderActionableItem: AnyObject {}
